import { toFetchHandler } from 'nounful/fetch'
import { registry } from '../service/chosen.ts'

// For `deno serve`, which says itself where it listens.
export default { fetch: toFetchHandler(registry) }
