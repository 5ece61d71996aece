import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Subject } from './subjects.ts'

/** The service, running. */
export interface Serving {
  readonly port: number
  /** Its output besides the address: warnings and unexpected errors. */
  readonly complaints: string
  /** Tells it to stop, and waits until it has: the exit code, `null` where a signal ended it. */
  stop(): Promise<number | null>
}

/** Milliseconds to start. */
const patience = 20_000
/** Milliseconds to stop: requests under way end first. */
const mostToStop = 12_000

/** Starts a subject in the consumer's folder, and waits until it says where it listens. */
export async function start({ command, storage }: Subject, folder: string): Promise<Serving> {
  const [binary, ...args] = command
  const child = spawn(binary, args, {
    cwd: folder,
    env: { ...process.env, NO_COLOR: '1', STORAGE: storage },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const port = await new Promise<number>((resolve, reject) => {
    const fail = (): void => reject(new Error(`${command.join(' ')} did not start: ${said}`))
    const deadline = setTimeout(fail, patience)
    child.once('exit', fail).once('error', fail)
    const listen = (chunk: Buffer): void => {
      said += chunk.toString()
      const found = /http:\/\/(?:127\.0\.0\.1|localhost):(\d+)\S*\n/.exec(said)
      if (found === null) return
      clearTimeout(deadline)
      child.off('exit', fail)
      resolve(Number(found[1]))
    }
    child.stdout.on('data', listen)
    child.stderr.on('data', listen)
  }).catch((error) => {
    child.kill('SIGKILL')
    throw error
  })
  return {
    port,
    get complaints() {
      return said.replace(/^.*http:\/\/(?:127\.0\.0\.1|localhost):\d+\S*\n/m, '')
    },
    stop: () => stop(child),
  }
}

async function stop(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
  const exit = once(child, 'exit')
  const deadline = setTimeout(() => child.kill('SIGKILL'), mostToStop)
  child.kill('SIGTERM')
  await exit
  clearTimeout(deadline)
  return child.exitCode
}
