import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import process from 'node:process'
import { meant } from '../convention/declaration.ts'
import { isRecord } from '../convention/value.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import { isJsonName, messageOf } from './io.ts'

/** The members of `nounful` in a `package.json`. */
const members = ['registry', 'contract'] as const

type Member = (typeof members)[number]
type Named = Readonly<Partial<Record<Member, string>>>

const modules = ['registry', 'contract'].flatMap((name) =>
  ['ts', 'mts', 'js', 'mjs'].map((extension) => `${name}.${extension}`),
)
const snapshots = ['contract.json']
const folders = ['.', 'src']

/**
 * Returns the module of a command: the argument, else the one that `package.json` names, else the
 * first of `registry.ts`, `contract.ts` and their like, here, in `src/` and beside `package.json`.
 *
 * @throws {UsageError} Where there is none, and for a `package.json` that names no path.
 */
export function moduleOr(argument: string | undefined): string {
  if (argument !== undefined) return argument
  const here = packageHere()
  const path = moduleIn(here)
  if (path !== undefined) return path
  const { root } = here
  throw new UsageError(
    `No module is named, and ${triedIn(root)} hold no registry.ts and no contract.ts, nor one ` +
      'in JavaScript. Write its path after the command, or add it to package.json: ' +
      '"nounful": { "registry": "path/of/registry.ts" }.',
  )
}

/**
 * Returns the snapshot to compare with: the argument, else the one that `package.json` names as
 * `contract`, else `contract.json`.
 *
 * @throws {UsageError} Where there is none, and for a `package.json` that names no path.
 */
export function snapshotOr(argument: string | undefined): string {
  if (argument !== undefined) return argument
  const { named, root } = packageHere()
  const { contract } = named
  const path = contract && isJsonName(contract) ? contract : firstOf(snapshots, root)
  if (path !== undefined) return path
  throw new UsageError(
    `No snapshot is named, and ${triedIn(root)} hold no contract.json. ` +
      'Write one with "npx nounful snapshot --out contract.json".',
  )
}

/** Returns the module that a command takes by default; `undefined` where there is none. */
export function foundModule(): string | undefined {
  return moduleIn(packageHere())
}

function moduleIn({ named, root }: Package): string | undefined {
  const { registry, contract } = named
  return registry ?? (contract && !isJsonName(contract) ? contract : firstOf(modules, root))
}

// The working directory comes first, then the root of the package.
function foldersOf(root: string): readonly string[] {
  const here = process.cwd()
  return [...new Set([here, root].flatMap((base) => folders.map((folder) => join(base, folder))))]
}

function firstOf(names: readonly string[], root: string): string | undefined {
  const paths = foldersOf(root).flatMap((folder) => names.map((name) => join(folder, name)))
  const existing = paths.find((path) => existsSync(path))
  return existing === undefined ? undefined : shownPath(existing)
}

function triedIn(root: string): string {
  const paths = foldersOf(root).map((folder) => `${shownPath(folder) || '.'}/`)
  return `${paths.slice(0, -1).join(', ')} and ${paths.at(-1)}`
}

function shownPath(path: string): string {
  return relative(process.cwd(), path)
}

interface Package {
  readonly named: Named
  /** The folder of `package.json`; without one, the working directory. */
  readonly root: string
}

function packageHere(): Package {
  const file = nearestPackage(process.cwd())
  if (file === undefined) return { named: {}, root: process.cwd() }
  const root = dirname(file)
  const paths = namedIn(shownPath(file), file)
  const named = Object.entries(paths).map(([member, path]) => [
    member,
    shownPath(resolve(root, path)),
  ])
  return { named: Object.fromEntries(named), root }
}

function nearestPackage(folder: string): string | undefined {
  const file = join(folder, 'package.json')
  if (existsSync(file)) return file
  const parent = dirname(folder)
  return parent === folder ? undefined : nearestPackage(parent)
}

function namedIn(name: string, file: string): Named {
  const { nounful } = Object(parsed(name, file))
  if (nounful === undefined) return {}
  const example = '"nounful": { "registry": "src/registry.ts" }'
  if (!isRecord(nounful))
    throw new UsageError(`"nounful" of ${name} must be an object, as in ${example}.`)
  const paths: Partial<Record<Member, string>> = {}
  for (const [member, path] of Object.entries(nounful)) {
    const key = members.find((candidate) => candidate === member)
    if (key === undefined)
      throw new UsageError(`"nounful" of ${name} has "${member}": ${meant(member, members)}.`)
    if (typeof path !== 'string' || path === '')
      throw new UsageError(`"${member}" of ${name} must be a path, as in ${example}.`)
    if (!existsSync(resolve(dirname(file), path.replace(/#[^#]*$/, ''))))
      throw new UsageError(`${path}, which ${name} names as "${member}", does not exist.`)
    paths[key] = path
  }
  return paths
}

function parsed(name: string, file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new UsageError(`${name} cannot be read: ${messageOf(error)}.`)
  }
}
