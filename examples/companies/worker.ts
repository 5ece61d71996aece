import { toFetchHandler } from 'nounful/fetch'
import { registry } from './registry.ts'

export default { fetch: toFetchHandler(registry) }
