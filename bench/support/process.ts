import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** A process of its own that answers questions. */
export interface Child {
  readonly process: ChildProcess
  /** The last lines that it printed. */
  output(): string
  /** Waits until it prints a text, and returns the part in parentheses. */
  heard(text: RegExp): Promise<string>
  /** Asks one of the questions that it {@link answers}, one after another. */
  ask<Answer>(question: string, about?: unknown): Promise<Answer>
  /** Sends SIGKILL, and waits for the end. */
  kill(): Promise<void>
}

interface Question {
  readonly question: string
  readonly about: unknown
}

interface Reply {
  readonly answer?: unknown
  readonly failure?: string
}

/** The start of a process. */
export interface Start {
  readonly file: URL
  /** JSON that the process reads with {@link startInput}. */
  readonly about?: unknown
  /** Options of Node's, besides those of this process. */
  readonly flags?: readonly string[]
  readonly env?: NodeJS.ProcessEnv
  /** The processor that the process is kept on. Default: any. */
  readonly core?: number
}

const running = new Set<ChildProcess>()
let isParent = false

// No child outlives this process, however it ends.
function add(child: ChildProcess): void {
  running.add(child)
  if (isParent) return
  isParent = true
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143))
  process.once('exit', () => {
    for (const child of running) child.kill('SIGKILL')
  })
}

/** Starts a process that answers questions. */
export function start({ file, about = {}, flags = [], env = {}, core }: Start): Child {
  const child = fork(file, [JSON.stringify(about)], {
    execArgv: [...process.execArgv, ...flags],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  // All of its threads; elsewhere than on Linux they are left to the system.
  if (core !== undefined && process.platform === 'linux') {
    execFileSync('taskset', ['-a', '-c', '-p', `${core}`, `${child.pid}`])
  }
  return childOf(child)
}

function childOf(child: ChildProcess): Child {
  add(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output = `${output}${text}`.slice(-4000)
    })
  }
  const hasEnded = (): boolean => child.exitCode !== null || child.signalCode !== null
  return {
    process: child,
    output: () => output,
    ask: (question, about) =>
      new Promise((resolve, reject) => {
        const fail = () => reject(new Error(`${child.spawnargs.join(' ')} has ended: ${output}`))
        if (!child.connected) return fail()
        child.once('exit', fail).once('message', ({ answer, failure }: Reply) => {
          child.off('exit', fail)
          if (failure === undefined) resolve(answer as never)
          else reject(new Error(failure))
        })
        child.send({ question, about } satisfies Question)
      }),
    heard: async (text) => {
      for (;;) {
        const part = text.exec(output)?.[1]
        if (part !== undefined) return part
        if (hasEnded()) throw new Error(`The process has ended: ${output}`)
        await pause(20)
      }
    },
    kill: async () => {
      const ended = hasEnded() ? undefined : once(child, 'exit')
      child.kill('SIGKILL')
      await ended
      running.delete(child)
    },
  }
}

/** Starts a process for one question, and ends it. */
export function askOnce<Answer>(about: Start, question: string, asked = {}): Promise<Answer> {
  const child = start(about)
  return child.ask<Answer>(question, asked).finally(() => child.kill())
}

/** Returns the input that this process was started with. */
export function startInput<About>(): About {
  return JSON.parse(process.argv[2] ?? '{}')
}

type Answers = Readonly<Record<string, (about: never) => unknown>>

const known = new Map<string, (about: never) => unknown>()
const early: Question[] = []

/** Answers questions of the parent process, and keeps this process alive until the parent ends. */
export function answers(table: Answers): void {
  for (const [question, answer] of Object.entries(table)) known.set(question, answer)
  if (!process.listeners('message').includes(reply)) {
    process.on('message', reply).once('disconnect', () => process.exit())
  }
  for (const question of early.splice(0)) reply(question)
}

async function reply(message: unknown): Promise<void> {
  // Only the other side of `ask` sends anything.
  const { question, about } = message as Question
  const answer = known.get(question)
  // A module that loads later will answer.
  if (answer === undefined) return void early.push({ question, about })
  try {
    process.send?.({ answer: await answer(about as never) } satisfies Reply)
  } catch (error) {
    const failure = error instanceof Error ? error.stack : undefined
    process.send?.({ failure: failure ?? String(error) } satisfies Reply)
  }
}
