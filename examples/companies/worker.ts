import { toFetchHandler } from 'nounful/fetch'
import { documentLayers } from './documents.ts'
import { registry } from './registry.ts'

export default { fetch: toFetchHandler(registry, { layers: documentLayers(registry) }) }
