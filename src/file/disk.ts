import { type BigIntStats, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { type FileHandle, open, readdir, readFile, rename, stat, unlink } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'

/** The content of a file, and what tells that it is still the same. */
export interface FileSnapshot {
  readonly bytes: readonly Buffer[]
  /** `undefined`: only the bytes tell. */
  readonly stats: BigIntStats | undefined
}

/** Reads a file. */
export async function readSnapshot(
  path: string,
): Promise<FileSnapshot & { readonly content: Buffer }> {
  const stats = await statsOf(path)
  const content = await readFile(path)
  return { content, bytes: [content], stats }
}

// Clocks of file systems tick every few milliseconds: a write within a tick may not show.
const tick = 30n * 1_000_000n

async function statsOf(path: string): Promise<BigIntStats | undefined> {
  return datedStats(await stat(path, { bigint: true }))
}

function datedStats(stats: BigIntStats): BigIntStats | undefined {
  const age = BigInt(Date.now()) * 1_000_000n - stats.mtimeNs
  return age > tick ? stats : undefined
}

/**
 * Compares a file with a snapshot: by its dates, else by its bytes. Returns the snapshot, with the
 * dates of now; `undefined` where the file has other content, or is gone.
 */
export async function compareSnapshot(
  path: string,
  { bytes, stats }: FileSnapshot,
): Promise<FileSnapshot | undefined> {
  try {
    const current = await stat(path, { bigint: true })
    const size = bytes.reduce((sum, { length }) => sum + length, 0)
    if (current.size !== BigInt(size)) return undefined
    const dated = { bytes, stats: datedStats(current) }
    if (stats !== undefined && hasSameDates(stats, current)) return dated
    return hasBytes(await readFile(path), bytes) ? dated : undefined
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function hasSameDates(a: BigIntStats, b: BigIntStats): boolean {
  return a.ino === b.ino && a.mtimeNs === b.mtimeNs && a.ctimeNs === b.ctimeNs
}

function hasBytes(content: Buffer, pieces: readonly Buffer[]): boolean {
  let start = 0
  for (const piece of pieces) {
    if (!content.subarray(start, start + piece.length).equals(piece)) return false
    start += piece.length
  }
  return start === content.length
}

/** A write of a file. */
export interface FileReplacement {
  /** The content that the file must have before. */
  readonly before: FileSnapshot
  readonly bytes: readonly Buffer[]
  /** Called when the file cannot be replaced by another one. */
  readonly onInPlace: () => void
}

/**
 * Replaces the content of a file at once: writes another file beside it, and renames that one.
 * Where that is refused, it keeps the new content as `<file>.nounful-saved` while it writes in
 * place. Keeps the mode. Returns `undefined`, and writes nothing, where the file has other content
 * than before, or another process replaces it for longer than a second.
 */
export async function replaceFile(
  path: string,
  replacement: FileReplacement,
): Promise<FileSnapshot | undefined> {
  const temporary = temporaryOf(path, process.pid)
  try {
    const { mode } = await stat(path)
    await writeWhole(temporary, replacement.bytes, mode)
    return await holdLock(path, () => replaceBy(temporary, path, replacement))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  } finally {
    await unlink(temporary).catch(() => undefined)
  }
}

async function replaceBy(
  temporary: string,
  path: string,
  { before, bytes, onInPlace }: FileReplacement,
): Promise<FileSnapshot | undefined> {
  const stats = await stat(path, { bigint: true })
  if ((await compareSnapshot(path, before)) === undefined) return undefined
  // At once, so that no change comes between the comparison and the rename.
  if (!hasSameDates(stats, statSync(path, { bigint: true }))) return undefined
  if (!renameIfAllowed(temporary, path)) {
    onInPlace()
    if (!(await writeInPlace(path, temporary, { before, bytes, stats }))) return undefined
  }
  await syncFolder(path)
  return { bytes, stats: await statsOf(path) }
}

const lockPause = 4
const maxLockTries = 250
// No save holds the lock as long: its process has gone, and another one got its number.
const maxLockAge = 60_000
// A process writes its number at once, unless it was killed.
const maxEmptyLockAge = 500

/**
 * Runs a task while no other process of this library does so for the same file. Returns `undefined`
 * where the lock stays taken.
 */
async function holdLock<Result>(
  path: string,
  task: () => Promise<Result>,
): Promise<Result | undefined> {
  const lock = lockOf(path)
  for (let tries = 0; tries < maxLockTries; tries++) {
    if (takeLock(lock)) return await task().finally(() => unlink(lock).catch(() => undefined))
    await removeAbandoned(lock)
    await pause(lockPause)
  }
  return undefined
}

function takeLock(lock: string): boolean {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw error
  }
}

async function removeAbandoned(lock: string): Promise<void> {
  const [pid, { mtimeMs }] = await Promise.all([readFile(lock, 'utf8'), stat(lock)]).catch(
    () => ['', { mtimeMs: Date.now() }] as const,
  )
  const age = Date.now() - mtimeMs
  const isHeld = pid === '' ? age < maxEmptyLockAge : isRunning(Number(pid)) && age < maxLockAge
  if (!isHeld) await unlink(lock).catch(() => undefined)
}

function lockOf(path: string): string {
  return join(dirname(path), `.${basename(path)}.nounful-lock`)
}

// A mounted file, a file that another program has open on Windows.
const refusals: ReadonlySet<unknown> = new Set(['EBUSY', 'EPERM', 'EACCES', 'EXDEV', 'ETXTBSY'])

function renameIfAllowed(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (refusals.has(codeOf(error))) return false
    throw error
  }
}

function temporaryOf(path: string, pid: number): string {
  return join(dirname(path), `.${basename(path)}.${pid}.nounful-new`)
}

async function writeWhole(path: string, bytes: readonly Buffer[], mode: number): Promise<void> {
  const file = await open(path, 'w', mode)
  try {
    await file.chmod(mode & 0o7777)
    await writeAll(file, bytes)
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, bytes: readonly Buffer[]): Promise<void> {
  await file.writeFile(bytes)
  await file.sync()
}

interface InPlaceWrite extends Pick<FileReplacement, 'before' | 'bytes'> {
  readonly stats: BigIntStats
}

// Returns whether the file was as before.
// An empty file and the beginning of the new content are no JSON, so that a crash shows.
async function writeInPlace(
  path: string,
  temporary: string,
  { before, bytes, stats }: InPlaceWrite,
): Promise<boolean> {
  const saved = savedOf(path)
  await rename(temporary, saved)
  await syncFolder(path)
  const isSame = hasSameDates(stats, statSync(path, { bigint: true }))
  if (isSame) {
    await overwrite(path, bytes).catch(async (error) => {
      // A full disk has room for the content that it held.
      await overwrite(path, before.bytes)
      await unlink(saved)
      throw error
    })
  }
  await unlink(saved)
  return isSame
}

async function overwrite(path: string, bytes: readonly Buffer[]): Promise<void> {
  truncateSync(path)
  const file = await open(path, 'r+')
  await writeAll(file, bytes).finally(() => file.close())
}

// Without it, a power failure could undo a rename. Not every system lets a folder be opened.
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path), 'r').catch(() => undefined)
  await folder?.sync().catch(() => undefined)
  await folder?.close()
}

function savedOf(path: string): string {
  return `${path}.nounful-saved`
}

/**
 * Ends what an earlier process began: completes a file that it wrote in place, and removes the
 * files that it left. Returns whether it completed the file.
 *
 * @throws {TypeError} For a file that is neither complete nor the beginning of the saved content.
 */
export async function recoverFile(path: string): Promise<boolean> {
  await removeTemporaries(path)
  const saved = await readFile(savedOf(path)).catch(() => undefined)
  if (saved === undefined) return false
  const current = await readFile(path)
  const isBeginning =
    current.length < saved.length && saved.subarray(0, current.length).equals(current)
  if (!isBeginning && !isJson(current))
    throw new TypeError(
      `it is damaged, and ${savedOf(path)} holds its last content: compare them, keep one`,
    )
  if (isBeginning) await overwrite(path, [saved])
  await unlink(savedOf(path))
  return isBeginning
}

async function removeTemporaries(path: string): Promise<void> {
  const names = await readdir(dirname(path))
  for (const name of names) {
    const pid = /^\.(.*)\.(\d+)\.nounful-new$/.exec(name)
    if (pid?.[1] !== basename(path) || isRunning(Number(pid[2]))) continue
    await unlink(join(dirname(path), name)).catch(() => undefined)
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString())
    return true
  } catch {
    return false
  }
}

function codeOf(error: unknown): unknown {
  return Reflect.get(Object(error), 'code')
}
