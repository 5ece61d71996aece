import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { openApiAt } from 'nounful/openapi'
import { registry } from './contract.ts'

const info = { title: 'Notes', version: '1.0.0' }
const layers = [openApiAt('/openapi.json', registry, { info }), explorer(registry)]

export default { fetch: toFetchHandler(registry, { base: '/api', layers }) }
