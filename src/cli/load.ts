import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { UsageError } from '../check/usage-error.ts'
import type { Api } from '../model/api.ts'
import { isRecord, meant } from '../model/declared.ts'
import type { Registry } from '../model/registry.ts'

/** What a module can give: a registry, or an api alone. */
export type Source = Registry | Api

/** Tells a registry from an api. */
export function isRegistry(source: Source): source is Registry {
  return 'bindings' in source
}

/** The api of either. */
export function apiOf(source: Source): Api {
  return isRegistry(source) ? source.api : source
}

/**
 * Loads the registry or the api that a module exports. TypeScript too: natively where Node can, else through jiti.
 *
 * @param place A path, relative to the working directory; `#name` after it picks an export.
 * @throws {UsageError} For a module that is not there, does not load, or has none or several.
 */
export async function loadSource(place: string): Promise<Source> {
  const [file, name] = split(place)
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`There is no module ${file}.`)
  if (!statSync(path).isFile())
    throw new UsageError(
      `${file} is no module: give a file, as in ${file.replace(/\/$/, '')}/registry.ts.`,
    )
  const exported = await load(path, file)
  return pick(exported, { file, name })
}

// A file may have "#" in its name.
function split(place: string): readonly [string, string | undefined] {
  const at = place.lastIndexOf('#')
  if (at < 1 || existsSync(resolve(place))) return [place, undefined]
  return [place.slice(0, at), place.slice(at + 1)]
}

// What Node says of a module that it cannot load as it stands, though there may be nothing wrong with it.
const foreign: ReadonlySet<unknown> = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX',
  'ERR_INVALID_TYPESCRIPT_SYNTAX',
  'ERR_UNSUPPORTED_NODE_MODULES_TYPE_STRIPPING',
  'ERR_UNSUPPORTED_DIR_IMPORT',
  'ERR_MODULE_NOT_FOUND',
  'ERR_IMPORT_ATTRIBUTE_MISSING',
  'ERR_REQUIRE_ESM',
  'ERR_REQUIRE_ASYNC_MODULE',
])

async function load(path: string, file: string): Promise<object> {
  const url = pathToFileURL(path).href
  try {
    return await import(url)
  } catch (error) {
    const isTypeScript = /\.[cm]?tsx?$/.test(path)
    const isForeign =
      foreign.has(Reflect.get(Object(error), 'code')) ||
      (isTypeScript && error instanceof SyntaxError)
    if (!isForeign) throw failure(file, error)
  }
  try {
    const { createJiti } = await import('jiti')
    return Object(await createJiti(url, { fsCache: false, interopDefault: false }).import(url))
  } catch (error) {
    throw failure(file, error)
  }
}

function failure(file: string, error: unknown): UsageError {
  const message = error instanceof Error ? error.message : String(error)
  const kind = error instanceof SyntaxError ? 'cannot be read' : 'cannot be loaded'
  const [line] = message.trim().split('\n')
  return new UsageError(`${file} ${kind}: ${line || 'it throws'}${placeIn(error)}`)
}

// The first line of the stack that is in somebody's own file.
function placeIn(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '') : ''
  const [, place] =
    /(?:\(|at |^)((?:file:\/\/)?\/(?!.*node_modules)[^\s()]+:\d+)(?::\d+\)?)?$/m.exec(stack) ?? []
  return place === undefined ? '' : ` (${place.replace('file://', '')})`
}

interface Wanted {
  readonly file: string
  readonly name: string | undefined
}

// By these names first.
const usual = ['registry', 'api', 'default'] as const

function pick(exported: object, { file, name }: Wanted): Source {
  const found = new Map<string, Source>()
  const inner = Reflect.get(exported, 'default')
  // Of CommonJS everything is in the default export.
  const all = { ...(isRecord(inner) && !isSource(inner) ? inner : {}), ...exported }
  for (const [key, value] of Object.entries(all)) if (isSource(value)) found.set(key, value)
  const names = [...found.keys()]
  if (name !== undefined) {
    const chosen = found.get(name)
    if (chosen) return chosen
    const hint = names.length > 0 ? `: ${meant(name, names)}` : ''
    throw new UsageError(`${file} exports no registry and no api as "${name}"${hint}.`)
  }
  for (const key of usual) {
    const chosen = found.get(key)
    if (chosen) return chosen
  }
  const distinct = new Set(found.values())
  const [only] = distinct
  if (only && distinct.size === 1) return only
  if (names.length === 0) {
    throw new UsageError(
      `${file} exports no registry and no api: export what defineRegistry(…).adapters(…) or defineApi(…) gave, as "registry" or "api".`,
    )
  }
  throw new UsageError(
    `${file} exports several: say which, as in ${file}#${names[0]} (there are ${names.join(', ')}).`,
  )
}

function isSource(value: unknown): value is Source {
  return isApi(value) || (isRecord(value) && isApi(value.api) && Array.isArray(value.bindings))
}

function isApi(value: unknown): value is Api {
  return (
    isRecord(value) &&
    value.resources instanceof Map &&
    value.versions instanceof Map &&
    Array.isArray(value.collections)
  )
}
