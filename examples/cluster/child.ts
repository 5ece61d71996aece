import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A program that runs until it is stopped; it does not outlive this one. */
export interface Child {
  readonly name: string
  /** Sends a signal: `SIGKILL` for a crash, `SIGSTOP` for a machine that hangs. */
  signal(name: NodeJS.Signals): void
  /** Sends a signal and waits for the end. */
  end(name: NodeJS.Signals): Promise<void>
  hasEnded(): boolean
  /** How it ended: an exit code or a signal. */
  readonly outcome: string
  /** The last part of its output. */
  log(): string
}

/** The program, and its surroundings. */
export interface ChildPlan {
  readonly name: string
  /** Its working folder, and the file of its output. */
  readonly folder: string
  readonly command: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Its user, if it is not the user of this process. */
  readonly ids?: Ids
}

/** A user, as the system knows it. */
export interface Ids {
  readonly uid?: number
  readonly gid?: number
}

const running = new Set<Child>()
process.once('exit', () => {
  for (const child of running) child.signal('SIGKILL')
})

/** Starts a program. */
export function start({ name, folder, command, env = {}, ids = {} }: ChildPlan): Child {
  const logFile = join(folder, `${name}.log`)
  const log = openSync(logFile, 'a')
  const [file = '', ...args] = tied(command)
  const own = { PATH: `${process.env.PATH}${delimiter}/usr/sbin`, HOME: folder, TMPDIR: folder }
  const child = spawn(file, args, {
    ...ids,
    cwd: folder,
    env: { ...own, ...env },
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  // Waiting code sees that it has ended.
  child.on('error', () => undefined)
  const started: Child = {
    name,
    signal: (signal) => void (hasEnded(child) || child.kill(signal)),
    async end(signal) {
      const ended = hasEnded(child) ? undefined : once(child, 'exit')
      child.kill(signal)
      await ended
    },
    hasEnded: () => hasEnded(child),
    get outcome() {
      return String(child.signalCode ?? child.exitCode)
    },
    log: () => readFileSync(logFile, 'utf8').slice(-3000),
  }
  running.add(started)
  child.once('exit', () => running.delete(started))
  return started
}

/** Asks until the answer is yes; fails when the child has ended, or after two minutes. */
export async function until(child: Child, isReady: () => Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 120_000; Date.now() < deadline; await pause(100)) {
    if (child.hasEnded()) break
    if (await isReady().catch(() => false)) return
  }
  throw new Error(`${child.name} did not come up. It said:\n${child.log()}`)
}

/** Returns the path of a program, or `undefined`. */
export function find(program: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/bin']
  return folders.map((folder) => join(folder, program)).find((path) => existsSync(path))
}

/** The user that runs databases: mysql, as they refuse root; else the user of this process. */
export function idsOfDatabases(): Ids {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'mysql'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

// Where the system can, a child ends with this process in all cases.
function tied(command: readonly string[]): readonly string[] {
  return find('setpriv') ? ['setpriv', '--pdeathsig', 'KILL', '--', ...command] : command
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}
