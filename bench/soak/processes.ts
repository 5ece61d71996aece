import { type ChildProcess, fork, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** A process of its own that is talked to. */
export interface Child {
  readonly process: ChildProcess
  /** The last lines that it printed. */
  said(): string
  /** Waits until it says something, and gives the part in parentheses. */
  heard(words: RegExp): Promise<string>
  /** Asks it one of the questions it {@link answers}. */
  ask<Answer>(question: string, about?: unknown): Promise<Answer>
  /** Sends SIGKILL, and waits. */
  kill(): Promise<void>
}

interface Question {
  readonly number: number
  readonly question: string
  readonly about: unknown
}

interface Reply {
  readonly number: number
  readonly answer?: unknown
  readonly failure?: string
}

/** The start of a process. */
export interface Start {
  /** A file of this folder. */
  readonly file: URL
  /** JSON that the process reads with {@link given}. */
  readonly about?: unknown
  /** Options of Node's. */
  readonly flags?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
}

// None outlives this process.
const running = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of running) kill(child)
})
// Processes that lead a group, which is ended even if its leader has ended first.
const leaders = new WeakSet<ChildProcess>()

function kill(child: ChildProcess): void {
  if (!leaders.has(child)) {
    child.kill('SIGKILL')
    return
  }
  try {
    process.kill(-(child.pid ?? Number.NaN), 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** Starts a command that leads a group of processes, all of which end with it. */
export function command(name: string, rest: readonly string[], options: SpawnOptions): Child {
  const child = spawn(name, rest, { ...options, detached: true, stdio: ['ignore', 'pipe', 'pipe'] })
  leaders.add(child)
  running.add(child)
  return talk(child)
}

/** Starts a process that answers questions. */
export function start({ file, about = {}, flags = [], env = {} }: Start): Child {
  const child = fork(file, [JSON.stringify(about)], {
    execArgv: ['--conditions=nounful:source', '--disable-warning=ExperimentalWarning', ...flags],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  running.add(child)
  return talk(child)
}

function talk(child: ChildProcess): Child {
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said = `${said}${text}`.slice(-4000)
    })
  }
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    process: child,
    said: () => said,
    ask: asker(child, () => said),
    heard: async (words) => {
      for (;;) {
        const part = words.exec(said)?.[1]
        if (part !== undefined) return part
        if (hasEnded()) throw new Error(`It has ended: ${said}`)
        await pause(20)
      }
    },
    kill: async () => {
      const ended = hasEnded() ? undefined : once(child, 'exit')
      kill(child)
      await ended
      running.delete(child)
    },
  }
}

function asker(child: ChildProcess, said: () => string): Child['ask'] {
  let last = 0
  const waiting = new Map<number, (reply: Reply) => void>()
  child.on('message', (reply: Reply) => {
    waiting.get(reply.number)?.(reply)
    waiting.delete(reply.number)
  })
  child.once('exit', (code, signal) => {
    const failure = `${child.spawnfile} ended with ${code ?? signal}: ${said()}`
    for (const [number, take] of waiting) take({ number, failure })
    waiting.clear()
  })
  return (question, about) =>
    new Promise((resolve, reject) => {
      if (!child.connected) return reject(new Error(`It has ended: ${said()}`))
      const number = ++last
      waiting.set(number, ({ answer, failure }) => {
        if (failure === undefined) resolve(answer as never)
        else reject(new Error(failure))
      })
      child.send({ number, question, about } satisfies Question, (error) => {
        if (error) reject(error)
      })
    })
}

/** The input that the process was started with. */
export function given<About>(): About {
  return JSON.parse(process.argv[2] ?? '{}')
}

const known = new Map<string, (about: never) => unknown>()
const early: Question[] = []

/** Replies to questions of the parent process, and keeps this process alive until it ends it. */
export function answers(to: Readonly<Record<string, (about: never) => unknown>>): void {
  for (const [question, answer] of Object.entries(to)) known.set(question, answer)
  if (!process.listeners('message').includes(reply)) {
    process.on('message', reply).once('disconnect', () => process.exit())
  }
  for (const question of early.splice(0)) reply(question)
}

/** As {@link answers}, but what else the process does decides how long it lives. */
export function answersBeside(to: Readonly<Record<string, (about: never) => unknown>>): void {
  answers(to)
  process.channel?.unref()
}

async function reply(message: unknown): Promise<void> {
  // Only the other side of `ask` sends anything.
  const asked = message as Question
  const { number, question, about } = asked
  const answer = known.get(question)
  // A module that loads later will answer.
  if (answer === undefined) {
    early.push(asked)
    return
  }
  try {
    process.send?.({ number, answer: await answer(about as never) } satisfies Reply)
  } catch (error) {
    process.send?.({ number, failure: String(error) } satisfies Reply)
  }
}
