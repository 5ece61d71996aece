import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { projectFiles } from '../project/files.ts'
import { projectOfFile } from '../project/from-file.ts'
import { starterProject } from '../project/starter.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { type CommandIo, messageOf } from './io.ts'

/** The options of `nounful init`, as text. */
export interface InitFlags {
  readonly from?: string
  /** Of the file. */
  readonly id: string
}

/**
 * Writes a new project into a folder that does not exist, or is empty.
 *
 * @throws {UsageError} For another folder, an older Node, a name that is none of a package, and a
 *   file that cannot be served. Nothing is written then.
 */
export async function initProject(
  folder: string,
  { from, id }: InitFlags,
  { print, warn }: CommandIo,
): Promise<void> {
  checkNode(process.versions.node)
  const path = resolve(folder)
  const title = basename(path)
  checkName(title)
  checkFree(path, folder)
  const project =
    from === undefined ? starterProject(title) : await projectOfFile(existing(from), { title, id })
  const files = projectFiles(project)
  for (const note of project.notes) warn(note)
  mkdirSync(path, { recursive: true })
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(path, name), text, { flag: 'wx' })
  const place = relative(process.cwd(), path)
  const steps = [...(place === '' ? [] : [`cd ${place}`]), 'npm install', 'npm run dev']
  print(
    [
      `${title} is written: ${Object.keys(files).join(', ')}`,
      '',
      ...steps.map((step) => `  ${step}`),
      '',
      'Then http://127.0.0.1:3000/ shows the explorer, and "npm test" checks every rule.',
    ].join('\n'),
  )
}

function existing(file: string): string {
  if (existsSync(file)) return file
  throw new UsageError(`${file} does not exist: name a JSON file.`)
}

/** @throws {UsageError} For a Node that runs no TypeScript as it is. */
export function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > 22 || (major === 22 && minor >= 18)) return
  throw new UsageError(
    `A new project runs TypeScript as it is, which takes Node 22.18 or later: this is ${version}.`,
  )
}

function checkName(name: string): void {
  if (/^[a-z0-9][a-z0-9._-]{0,213}$/.test(name)) return
  throw new UsageError(
    `No package can have the name "${name}": use lower-case letters, digits, "-", "_" and ".", ` +
      'as in "npx nounful init my-api".',
  )
}

function checkFree(path: string, folder: string): void {
  const names = namesIn(path)
  if (names.length === 0) return
  throw new UsageError(`${folder} holds ${names[0]} already: name a folder that is new, or empty.`)
}

function namesIn(path: string): readonly string[] {
  try {
    return readdirSync(path)
  } catch (error) {
    if (Object(error).code === 'ENOENT') return []
    throw new UsageError(`${messageOf(error)}.`)
  }
}
