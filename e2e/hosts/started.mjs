import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Starts an example on any free port, gives what `use` makes of it, and stops it. */
export async function whileStarted({ folder, args, node }, use) {
  const port = await freePort()
  const env = { ...process.env, PORT: `${port}`, HOST: '127.0.0.1', NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn(node, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = once(child, 'close')
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text
    })
  }
  try {
    await until(
      () => answers(port),
      () => `${folder} does not answer:\n${output}`,
      30_000,
    )
    return await use({
      port,
      said: (text) =>
        until(
          () => output.includes(text),
          () => `It never said "${text}":\n${output}`,
          10_000,
        ),
    })
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

async function until(holds, complaint, milliseconds) {
  const deadline = Date.now() + milliseconds
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(complaint())
    await sleep(50)
  }
}

async function answers(port) {
  try {
    await fetch(`http://127.0.0.1:${port}/`, { redirect: 'manual' })
    return true
  } catch {
    return false
  }
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address()
  server.close()
  await once(server, 'close')
  return port
}
