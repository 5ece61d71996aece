// Runs `npm start` in the current folder as a newcomer does, and stops it as a supervisor does.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

const port = await freePort()
const url = `http://127.0.0.1:${port}/v1/employees`
let npm = start()

try {
  await answers(30_000)
  console.log(`GET ${url} answers 200`)
  const location = await create()
  await stop()
  npm = start()
  await answers(30_000)
  const { status } = await fetch(new URL(location, url))
  if (status !== 200) throw new Error(`${location} answers ${status} after a restart`)
  console.log(`${location} is still there after a restart`)
  await stop()
} finally {
  killGroup()
}

// Its own process group, so that nothing of it survives when this script fails.
function start() {
  return spawn('npm', ['start'], {
    detached: true,
    // As npm does, with sh: Debian's dash hands its process to a command only after exec.
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
}

async function stop() {
  const exit = once(npm, 'exit')
  npm.kill('SIGTERM')
  const [code, signal] = await within(5_000, exit)
  if (code !== 0) throw new Error(`npm start ended with ${code ?? signal} after SIGTERM`)
  console.log('SIGTERM ends it with code 0')
}

async function create() {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Gita Rao', birthdate: '1991-04-09' })
  const response = await fetch(url, { method: 'POST', headers, body })
  if (response.status !== 201) throw new Error(`POST ${url} answers ${response.status}`)
  return response.headers.get('location')
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  return port
}

async function answers(timeout) {
  const deadline = Date.now() + timeout
  while (Date.now() < deadline) {
    if (npm.exitCode !== null) throw new Error(`npm start ended with ${npm.exitCode}`)
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
    if (response?.status === 200) return
    await sleep(100)
  }
  throw new Error(`${url} did not answer 200 within ${timeout} ms`)
}

async function within(timeout, promise) {
  const late = sleep(timeout, null, { ref: false })
  const result = await Promise.race([promise, late])
  if (result === null) throw new Error(`npm start still runs ${timeout} ms after SIGTERM`)
  return result
}

function killGroup() {
  try {
    process.kill(-npm.pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
