import { toFetchHandler } from 'nounful/fetch'
import { registry } from '../service/memory.ts'

export default { fetch: toFetchHandler(registry) }
