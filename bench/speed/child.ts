import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'

/** A process that answers questions. */
export interface Child {
  ask<Answer>(question: string, about?: unknown): Promise<Answer>
  /** Lets it go, and waits until it has. */
  end(): Promise<void>
}

/** The start of a process. */
export interface Start {
  /** A file of this folder. */
  readonly file: string
  /** Words after it. */
  readonly about: readonly string[]
  /** The Node that runs it. */
  readonly node: string
  /** Options of that Node's. */
  readonly flags: readonly string[]
  /** The processor it is kept on. */
  readonly core: number
}

interface Reply {
  readonly number: number
  readonly answer?: unknown
  readonly failure?: string
}

// None outlives this process.
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

/** Starts a process that answers questions, on a processor of its own. */
export function start({ file, about, node, flags, core }: Start): Child {
  const child = fork(new URL(file, import.meta.url), about, {
    execPath: node,
    execArgv: ['--disable-warning=ExperimentalWarning', ...flags],
    // Some frameworks are slow and verbose without it.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  running.add(child)
  keepOn(core, child)
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    ask: asker(child),
    end: async () => {
      const ended = hasEnded() ? undefined : once(child, 'exit')
      if (child.connected) child.disconnect()
      await ended
      running.delete(child)
    },
  }
}

// All of its threads; elsewhere than on Linux they are left to the system.
function keepOn(core: number, { pid }: ChildProcess): void {
  if (process.platform !== 'linux' || pid === undefined) return
  execFileSync('taskset', ['-a', '-c', '-p', `${core}`, `${pid}`])
}

function asker(child: ChildProcess): Child['ask'] {
  let last = 0
  let said = ''
  const waiting = new Map<number, (reply: Reply) => void>()
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-4000)
  })
  child.on('message', (reply: Reply) => {
    waiting.get(reply.number)?.(reply)
    waiting.delete(reply.number)
  })
  child.once('exit', (code, signal) => {
    const failure = `${child.spawnargs.join(' ')} ended with ${code ?? signal}: ${said}`
    for (const [number, take] of waiting) take({ number, failure })
  })
  return (question, about) =>
    new Promise((resolve, reject) => {
      const number = ++last
      waiting.set(number, ({ answer, failure }) => {
        if (failure === undefined) resolve(answer as never)
        else reject(new Error(failure))
      })
      child.send({ number, question, about }, (error) => {
        if (error) reject(new Error(`${child.spawnargs.join(' ')}: ${said}`, { cause: error }))
      })
    })
}
