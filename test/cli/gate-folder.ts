import { execFile, execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The output of a command, and its exit code. */
interface Ran {
  readonly code: number
  readonly out: string
  readonly warned: string
}

/** A folder of a user, with a repository of git and this package installed. */
export interface GateFolder {
  readonly path: string
  write(file: string, text: string): void
  read(file: string): string
  git(...args: readonly string[]): string
  /** Runs `npx nounful`. */
  run(...args: readonly string[]): Promise<Ran>
  drop(): void
}

/** Makes a folder with an empty repository. */
export function gateFolder(): GateFolder {
  const folder = mkdtempSync(join(tmpdir(), 'gate-'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/nounful'))
  symlinkSync(join(root, 'node_modules/zod'), join(folder, 'node_modules/zod'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n')
  const settings = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org']
  const git = (...args: readonly string[]): string =>
    execFileSync('git', [...settings, ...args], { cwd: folder, encoding: 'utf8' })
  git('init', '--quiet', '--initial-branch=main')
  return {
    path: folder,
    write: (file, text) => {
      mkdirSync(dirname(join(folder, file)), { recursive: true })
      writeFileSync(join(folder, file), text)
    },
    read: (file) => readFileSync(join(folder, file), 'utf8'),
    git,
    run: (...args) => runIn(folder, args),
    drop: () => rmSync(folder, { recursive: true, force: true }),
  }
}

function runIn(cwd: string, args: readonly string[]): Promise<Ran> {
  const program = join(root, 'src/cli.ts')
  const flags = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source', program]
  return new Promise((resolve) => {
    execFile(process.execPath, [...flags, ...args], { cwd }, (error, out, warned) => {
      resolve({ code: error === null ? 0 : Number(error.code), out, warned })
    })
  })
}

/** Returns a module with a registry of notes, whose text has a bound. */
export function moduleWith(options: {
  readonly bound?: number
  readonly sortable?: string
  readonly more?: string
}): string {
  const { bound = 80, sortable = "'text'", more = '' } = options
  return `import { defineApi, defineRegistry, defineResource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
const Note = z.object({ id: z.string(), text: z.string().max(${bound})${more} })
const notes = defineResource('notes', {
  schema: Note, create: Note.omit({ id: true }), sortable: [${sortable}],
})
const api = defineApi({ v1: { '/notes': notes } })
export const registry = defineRegistry(api).adapters({ notes: memoryAdapter() })
`
}
