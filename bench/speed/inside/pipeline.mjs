// A contender's server, fed from memory: with Node's parser, request and response, without sockets.
import { setImmediate as breathe } from 'node:timers/promises'
import { MemorySocket } from './memory-socket.mjs'
import { answers } from './questions.mjs'

const [contender] = process.argv.slice(2)
const { server: serverOf } = await import(`../contenders/${contender}.mjs`)
const server = await serverOf()

// A response ends when it says so, not with its last byte: the work after that costs too.
let answered = () => {}
server.on('request', (_, response) => response.once('close', () => answered()))

let taken
const socket = new MemorySocket((chunk, encoding) => {
  taken?.push(Buffer.from(chunk, encoding))
})
server.emit('connection', socket)

answers({ ready: () => true, ask, batch })

/** Asks once; the bytes of the answer, as Latin-1. */
async function ask(request) {
  taken = []
  const done = new Promise((resolve) => {
    answered = resolve
  })
  socket.feed(toBytes(request))
  await done
  const bytes = Buffer.concat(taken)
  taken = undefined
  return bytes.toString('latin1')
}

/** Sends many requests, one by one; nanoseconds of CPU a request, over all threads. */
async function batch({ request, times }) {
  const bytes = toBytes(request)
  const before = process.cpuUsage()
  for (let left = times; left > 0; left -= burst) {
    await askMany(bytes, Math.min(burst, left))
    await breathe()
  }
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / times
}

const burst = 100

function askMany(bytes, times) {
  return new Promise((resolve) => {
    let left = times
    answered = () => {
      left--
      if (left > 0) socket.feed(bytes)
      else resolve()
    }
    socket.feed(bytes)
  })
}

function toBytes({ method, path, body }) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`
  if (body === undefined) return Buffer.from(`${head}\r\n`)
  const length = Buffer.byteLength(body)
  return Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
  )
}
