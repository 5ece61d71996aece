import { type ChildProcess, execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** A server process and the folder that holds all it has. */
export interface Daemon {
  /** Another one after `restart`. */
  readonly pid: number
  /** Ends it for good and removes its folder. */
  stop(): Promise<void>
  /** `kill -9`, for it and its children. The folder stays, for `restart`. */
  kill(): Promise<void>
  /** Shuts it down cleanly if it runs, and starts it on the same folder. */
  restart(): Promise<void>
}

/** How to run one. */
export interface DaemonPlan {
  readonly home: string
  readonly user: string
  readonly command: readonly string[]
  /** Rejects until the server takes requests. */
  readonly ready: () => Promise<unknown>
  readonly shutDown: NodeJS.Signals
  /** For a server that is no longer of use: as fast as can be, yet leaving nothing behind. */
  readonly abandon: NodeJS.Signals
}

/** Folders that must not outlive this process, and functions that end their users. */
const live = new Map<string, () => void>()

/** A new folder in the one for temporary files; its name is short, as a socket's must be. */
export function newHome(user: string): string {
  if (live.size === 0) watchEnd()
  const home = mkdtempSync(join(tmpdir(), 'nounful-'))
  live.set(home, () => undefined)
  const { uid, gid } = idsOf(user)
  if (uid !== undefined && gid !== undefined) chownSync(home, uid, gid)
  return home
}

/** Runs a command to its end, as that user. */
export async function runAs(user: string, home: string, command: readonly string[]): Promise<void> {
  const child = spawnAs(user, home, tied('SIGKILL', command), { detached: true })
  // The whole group: it may be a script.
  live.set(home, () => signal(-(child.pid ?? 0), 'SIGKILL'))
  child.ref()
  await once(child, 'exit')
  if (child.exitCode !== 0) throw new Error(`${command[0]} failed.\n${logOf(home)}`)
}

/** Starts a server; rejects, leaving nothing behind, when it does not come up. */
export async function startDaemon(plan: DaemonPlan): Promise<Daemon> {
  let child = launch(plan)
  const stop = async () => {
    await end(child, plan.abandon)
    discard(plan.home)
  }
  const restart = async (attempts = 5): Promise<void> => {
    await end(child, plan.shutDown)
    child = launch(plan)
    try {
      await untilReady(plan, child)
    } catch (error) {
      // PostgreSQL refuses while a process of a killed predecessor is still about to die.
      if (attempts === 1) throw error
      await sleep(100)
      await restart(attempts - 1)
    }
  }
  try {
    await untilReady(plan, child)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    get pid() {
      return child.pid ?? 0
    },
    stop,
    kill: async () => {
      const children = childrenOf(child)
      const ended = end(child, 'SIGKILL')
      for (const pid of children) signal(pid, 'SIGKILL')
      await ended
    },
    restart: () => restart(),
  }
}

/** Removes a folder, and forgets it. */
export function discard(home: string): void {
  live.delete(home)
  // A process that is about to die may still write to it.
  for (let attempts = 50; existsSync(home) && attempts > 0; attempts--) {
    rmSync(home, { recursive: true, force: true, maxRetries: 1 })
    if (existsSync(home)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
  }
}

function launch({ home, user, command, abandon }: DaemonPlan): ChildProcess {
  const child = spawnAs(user, home, tied(abandon, command))
  live.set(home, () => hasEnded(child) || child.kill(abandon))
  return child
}

function spawnAs(
  user: string,
  home: string,
  [file = '', ...args]: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  const log = openSync(join(home, 'log'), 'w')
  // Not this process's environment: PGPORT and the like would change what the command does.
  const env = { PATH: process.env.PATH, HOME: home, TMPDIR: home }
  const stdio: SpawnOptions['stdio'] = ['ignore', log, log]
  const child = spawn(file, args, { ...options, ...idsOf(user), cwd: home, env, stdio })
  closeSync(log)
  // A missing command does not end this process; waiting code gets the error.
  child.on('error', () => undefined)
  child.unref()
  return child
}

function logOf(home: string): string {
  return readFileSync(join(home, 'log'), 'utf8').slice(-2000)
}

async function untilReady({ home, command, ready }: DaemonPlan, child: ChildProcess) {
  for (const deadline = Date.now() + 30_000; Date.now() < deadline; await sleep(20)) {
    if (hasEnded(child)) break
    const isReady = await ready().then(
      () => true,
      () => false,
    )
    if (isReady) return
  }
  throw new Error(`${command[0]} did not come up.\n${logOf(home)}`)
}

async function end(child: ChildProcess, name: NodeJS.Signals): Promise<void> {
  if (hasEnded(child)) return
  child.ref()
  const ended = once(child, 'exit')
  child.kill(name)
  await ended
}

function hasEnded({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid === undefined || exitCode !== null || signalCode !== null
}

function childrenOf({ pid }: ChildProcess): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number)
  } catch {
    return []
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    if (pid !== 0) process.kill(pid, name)
  } catch {
    // It has ended already.
  }
}

/** The command with which Linux ends a process with its parent. */
function tied(name: NodeJS.Signals, command: readonly string[]): readonly string[] {
  if (process.platform !== 'linux') return command
  return ['setpriv', '--pdeathsig', name.slice('SIG'.length), '--', ...command]
}

/** Both servers refuse to run as root, and need not be another user otherwise. */
function idsOf(user: string): { uid?: number; gid?: number } {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

function watchEnd(): void {
  process.once('exit', abandonAll)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(name, dieOf)
}

/** Another listener has its own plans; 'exit' follows if the process ends. */
function dieOf(name: NodeJS.Signals): void {
  if (process.listenerCount(name) > 0) return
  abandonAll()
  process.kill(process.pid, name)
}

function abandonAll(): void {
  for (const abandon of live.values()) abandon()
  for (const home of [...live.keys()]) discard(home)
}
