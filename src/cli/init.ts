import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { type DatabaseAddress, parseAddress } from '../project/address.ts'
import { type ProjectFiles, projectFiles } from '../project/files.ts'
import { projectOfFile } from '../project/from-file.ts'
import { starterProject } from '../project/starter.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { type CommandIo, messageOf } from './io.ts'
import { importOptional } from './load.ts'

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
  { print, warn, setExitCode }: CommandIo,
): Promise<void> {
  checkNode(process.versions.node)
  const path = resolve(folder)
  const title = basename(path)
  checkName(title)
  checkFree(path, folder)
  const address = from === undefined ? undefined : parseAddress(from)
  const project = address && (await databaseProject(address, path))
  if (typeof project === 'string') {
    warn(project)
    return setExitCode(1)
  }
  const { files, notes, steps: ownSteps = [] } = project ?? (await fileProject(from, { title, id }))
  for (const note of notes) warn(note)
  mkdirSync(path, { recursive: true })
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(path, name), text, { flag: 'wx' })
  const place = relative(process.cwd(), path)
  const enter = place === '' ? [] : [`cd ${place}`]
  const steps = [...enter, ...ownSteps, 'npm install', 'npm run dev']
  const checked = project === undefined ? 'checks every rule' : 'reads every collection'
  print(
    [
      `${title} is written: ${Object.keys(files).join(', ')}`,
      '',
      ...steps.map((step) => `  ${step}`),
      '',
      `Then http://127.0.0.1:3000/ shows the explorer, and "npm test" ${checked}.`,
    ].join('\n'),
  )
}

interface NewProject {
  readonly files: ProjectFiles
  readonly notes: readonly string[]
  /** What to run before the installation. Default: nothing. */
  readonly steps?: readonly string[]
}

async function fileProject(
  from: string | undefined,
  options: { readonly title: string; readonly id: string },
): Promise<NewProject> {
  const project =
    from === undefined
      ? starterProject(options.title)
      : await projectOfFile(existing(from), options)
  return { files: projectFiles(project), notes: project.notes }
}

// Returns a sentence for a database that does not respond.
async function databaseProject(
  address: DatabaseAddress,
  folder: string,
): Promise<NewProject | string> {
  const reader = await importOptional(() => import('../project/from-database.ts'))
  if (reader === undefined)
    throw new UsageError('A database takes the package "kysely": npm install kysely')
  return reader.projectOfDatabase(address, folder)
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
