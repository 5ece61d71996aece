// A contender's server on a port of its own, for requests from another process.
import { once } from 'node:events'
import { request as send } from 'node:http'
import { answers } from './questions.mjs'

const [contender] = process.argv.slice(2)
const { server: serverOf } = await import(`../contenders/${contender}.mjs`)
const server = await serverOf()
if (!server.listening) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
}
const { port } = server.address()

answers({ ready: () => port, ask, spent })

/** Microseconds of CPU this process has spent, and microseconds that have gone by. */
function spent() {
  const { user, system } = process.cpuUsage()
  return { cpu: user + system, time: performance.now() * 1000 }
}

/** Asks once; the answer as it came. */
async function ask({ method, path, body }) {
  const headers =
    body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  const request = send({ port, method, path, headers, agent: false }).end(body)
  const [response] = await once(request, 'response')
  const chunks = await response.setEncoding('latin1').toArray()
  const fields = Object.entries(response.headers).filter(([name]) => name !== 'transfer-encoding')
  const lines = fields.map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${response.statusCode}`, ...lines, '', chunks.join('')].join('\r\n')
}
