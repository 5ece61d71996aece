import { toFetchHandler } from 'nounful/fetch'
import { serve } from 'srvx'
import { registry } from '../service/chosen.ts'

const server = serve({
  fetch: toFetchHandler(registry),
  port: 0,
  hostname: '127.0.0.1',
  silent: true,
})
await server.ready()
console.log(server.url)
