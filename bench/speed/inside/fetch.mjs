// A contender's fetch function, called in this process, with the web's objects alone.
import { setImmediate as breathe } from 'node:timers/promises'
import { answers } from './questions.mjs'

const [contender] = process.argv.slice(2)
const { fetchHandler } = await import(`../contenders/${contender}.mjs`)
const handle = await fetchHandler()

answers({ ready: () => true, ask, batch })

/** Asks once; the answer as it would be written. */
async function ask(asked) {
  const response = await handle(toRequest(asked))
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${response.status}`, ...headers, '', await response.text()].join('\r\n')
}

/** Sends many requests, one by one; nanoseconds of CPU a request, over all threads. */
async function batch({ request, times }) {
  const before = process.cpuUsage()
  for (let left = times; left > 0; left--) {
    const response = await handle(toRequest(request))
    await response.text()
    // Timers and I/O have their turn, too.
    if (left % 100 === 0) await breathe()
  }
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / times
}

function toRequest({ method, path, body }) {
  const url = `http://127.0.0.1${path}`
  if (body === undefined) return new Request(url, { method })
  return new Request(url, { method, headers: { 'content-type': 'application/json' }, body })
}
