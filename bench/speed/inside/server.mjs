// A contender behind a door: its server in memory or on a port, or its fetch function.
import { once } from 'node:events'
import { request as send } from 'node:http'
import { Duplex } from 'node:stream'
import { setImmediate as breathe } from 'node:timers/promises'
import { answers, startInput } from '../../support/process.ts'

/** A connection without a network: the server reads what is pushed, and `take` sees its output. */
class MemorySocket extends Duplex {
  #take

  constructor(take) {
    // As a socket of Node's, which hands text on as it is.
    super({ decodeStrings: false })
    this.#take = take
    for (const name of ['setTimeout', 'setNoDelay', 'setKeepAlive']) this[name] = () => this
    this.destroySoon = this.destroy
  }

  _read() {}

  _write(chunk, encoding, done) {
    this.#take(chunk, encoding)
    done()
  }

  _writev(chunks, done) {
    for (const { chunk, encoding } of chunks) this.#take(chunk, encoding)
    done()
  }
}

const { door, name, file, options } = startInput()
const contender = await import(`../contenders/${file}.mjs`)
const doors = { pipeline, fetch: behindFetch, loopback }
const burst = 100
answers(await doors[door]())

/** Node's parser, request and response, without sockets. */
async function pipeline() {
  const server = await contender.server(name)
  // A response ends when it says so, not with its last byte: the work after that costs too.
  let answered = () => {}
  server.on('request', (_, response) => response.once('close', () => answered()))
  let chunks
  const socket = new MemorySocket((chunk, encoding) => chunks?.push(Buffer.from(chunk, encoding)))
  server.emit('connection', socket)

  function askMany(bytes, times) {
    return new Promise((resolve) => {
      let left = times
      answered = () => {
        left--
        if (left > 0) socket.push(bytes)
        else resolve()
      }
      socket.push(bytes)
    })
  }

  async function ask(request) {
    chunks = []
    await askMany(bytesOf(request), 1)
    const bytes = Buffer.concat(chunks)
    chunks = undefined
    return bytes.toString('latin1')
  }

  function batch({ request, times }) {
    const bytes = bytesOf(request)
    return cpuOf(times, async () => {
      for (let left = times; left > 0; left -= burst) {
        await askMany(bytes, Math.min(burst, left))
        await breathe()
      }
    })
  }

  let session

  /** Starts the profiler. V8 keeps the names of inlined functions only where it compiles later. */
  async function startProfiler() {
    // Only here: the other levels measure a process that nothing was done to.
    const { Session } = await import('node:inspector/promises')
    session = new Session()
    session.connect()
    await session.post('Profiler.enable')
    await session.post('Profiler.setSamplingInterval', { interval: 100 })
    await session.post('Profiler.start')
  }

  /** Returns nanoseconds of CPU a request, by source file and function. */
  async function profile(task) {
    await session.post('Profiler.stop')
    const cpu = await batch(task)
    await session.post('Profiler.start')
    await batch(task)
    const { profile } = await session.post('Profiler.stop')
    await session.post('Profiler.start')
    return timesIn(profile, cpu)
  }

  return { ready: () => null, ask, batch, startProfiler, profile }
}

/** Shares the CPU of a request out by the time that each function was sampled. */
function timesIn({ nodes, samples, timeDeltas }, cpu) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]))
  const times = {}
  let total = 0
  for (const [place, id] of samples.entries()) {
    const { functionName, url } = frames.get(id)
    if (functionName === '(idle)') continue
    const name = `${url} ${functionName}`
    times[name] = (times[name] ?? 0) + timeDeltas[place]
    total += timeDeltas[place]
  }
  for (const name of Object.keys(times)) times[name] *= cpu / total
  return times
}

function bytesOf({ method, path, body }) {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n`
  if (body === undefined) return Buffer.from(`${head}\r\n`)
  const length = Buffer.byteLength(body)
  const fields = `Content-Type: application/json\r\nContent-Length: ${length}\r\n`
  return Buffer.from(`${head}${fields}\r\n${body}`)
}

/** A fetch function, called in this process, with the web's objects alone. */
async function behindFetch() {
  const handle = await contender.fetchHandler()

  function toRequest({ method, path, body }) {
    const url = `http://127.0.0.1${path}`
    if (body === undefined) return new Request(url, { method })
    return new Request(url, { method, headers: { 'content-type': 'application/json' }, body })
  }

  async function ask(request) {
    const response = await handle(toRequest(request))
    return textOf(response.status, [...response.headers], await response.text())
  }

  function batch({ request, times }) {
    return cpuOf(times, async () => {
      for (let left = times; left > 0; left--) {
        const response = await handle(toRequest(request))
        await response.text()
        // Timers and I/O have their turn, too.
        if (left % burst === 0) await breathe()
      }
    })
  }

  return { ready: () => null, ask, batch }
}

/** A server on a port, for requests from another process. */
async function loopback() {
  const server = await contender.server(name, options)
  if (!server.listening) await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address()

  async function ask({ method, path, body }) {
    const length = Buffer.byteLength(body ?? '')
    const fields = { 'content-type': 'application/json', 'content-length': length }
    const headers = body === undefined ? {} : fields
    const request = send({ port, method, path, headers, agent: false }).end(body)
    const [response] = await once(request, 'response')
    const chunks = await response.setEncoding('latin1').toArray()
    const received = Object.entries(response.headers)
    const whole = received.filter(([name]) => name !== 'transfer-encoding')
    return textOf(response.statusCode, whole, chunks.join(''))
  }

  /** Microseconds of CPU this process has spent, and microseconds that have gone by. */
  function spent() {
    const { user, system } = process.cpuUsage()
    return { cpu: user + system, time: performance.now() * 1000 }
  }

  return { ready: () => port, ask, spent }
}

function textOf(status, headers, body) {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${status}`, ...lines, '', body].join('\r\n')
}

/** Nanoseconds of CPU a request, over all threads. */
async function cpuOf(times, work) {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / times
}
