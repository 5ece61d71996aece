import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { type DatabaseAddress, parseAddress } from '../project/address.ts'
import { type ProjectFiles, projectFiles, tenantFiles } from '../project/files.ts'
import { projectOfFile } from '../project/from-file.ts'
import { starterProject, tenantProject } from '../project/starter.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { type CommandIo, messageOf } from './io.ts'
import { importOptional } from './load.ts'

/** The options of `nounful init`, as text. */
export interface InitFlags {
  readonly from?: string
  /** The member of the file that holds the id. */
  readonly id: string
  readonly auth?: string
  readonly tenants?: boolean
  readonly database: string
}

/**
 * Writes a new project into a folder that does not exist, or is empty.
 *
 * @throws {UsageError} For another folder, an older Node, a name that is none of a package, and a
 *   file that cannot be served. Nothing is written then.
 */
export async function initProject(
  folder: string,
  flags: InitFlags,
  { print, warn, setExitCode }: CommandIo,
): Promise<void> {
  checkNode(process.versions.node)
  const path = resolve(folder)
  const title = basename(path)
  checkName(title)
  checkFree(path, folder)
  checkFlags(flags)
  const address = flags.from === undefined ? undefined : parseAddress(flags.from)
  const project = address && (await databaseProject(address, path))
  if (typeof project === 'string') {
    warn(project)
    return setExitCode(1)
  }
  const { files, notes, steps: ownSteps = [] } = project ?? (await plainProject(title, flags))
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
  /** The commands to run before the installation. Default: none. */
  readonly steps?: readonly string[]
}

async function plainProject(
  title: string,
  { from, id, tenants = false, database }: InitFlags,
): Promise<NewProject> {
  const engine = database === 'postgres' ? 'postgres' : 'sqlite'
  if (tenants) return { files: tenantFiles(tenantProject(title), engine), notes: [] }
  const project =
    from === undefined ? starterProject(title) : await projectOfFile(existing(from), { title, id })
  return { files: projectFiles(project), notes: project.notes }
}

function checkFlags({ from, auth, tenants = false, database }: InitFlags): void {
  if (auth !== undefined && auth !== 'jwt')
    throw new UsageError(`--auth cannot be "${auth}": write --auth jwt.`)
  if (database !== 'sqlite' && database !== 'postgres')
    throw new UsageError(`--database cannot be "${database}": write sqlite or postgres.`)
  if ((auth !== undefined) !== tenants)
    throw new UsageError('--auth jwt and --tenants go together: a token says of which tenant.')
  if (tenants && from !== undefined)
    throw new UsageError('--from and --tenants exclude each other.')
  if (!tenants && database === 'postgres')
    throw new UsageError('--database postgres is for a service: add --auth jwt --tenants.')
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
