import { createServer } from 'node:http'
import { toNodeListener } from 'nounful/node'
import { registry } from '../service/chosen.ts'

// A server of one's own: Node's, or what stands for it elsewhere.
const server = createServer(toNodeListener(registry))
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('It listens on no port.')
  console.log(`http://127.0.0.1:${address.port}/`)
})
