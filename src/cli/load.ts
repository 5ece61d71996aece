import { existsSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import type { Api } from '../contract/resource/api.ts'
import type { Registry } from '../contract/resource/registry.ts'
import type { ToJsonSchema } from '../contract/schema/json-schema.ts'
import { isRecord, meant } from '../convention/declared.ts'
import { UsageError } from '../trial/check/usage-error.ts'
import {
  hasPlace,
  isLinkError,
  isSyntaxError,
  type LoadFailure,
  toUsageError,
} from './load-error.ts'
import { importOptional, installOf } from './optional.ts'

/** The export of a module: a registry, or an API alone. */
export type Source = Registry | Api

/** Tells a registry from an API. */
export function isRegistry(source: Source): source is Registry {
  return 'bindings' in source
}

/** Returns the API of either. */
export function apiOf(source: Source): Api {
  return isRegistry(source) ? source.api : source
}

/** Returns the message of an error, or any other thrown value as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/**
 * Loads the registry or the API that a module exports. Node loads TypeScript where it can, else
 * jiti does, where it is installed.
 *
 * @param specifier A path, relative to the working directory. `#name` after it picks an export.
 * @throws {UsageError} For a module that does not exist, does not load, or exports none or several.
 */
export async function loadSource(specifier: string): Promise<Source> {
  const { source } = await loadContract(specifier)
  return source
}

/** A contract as a module exports it. */
export interface LoadedContract {
  readonly source: Source
  /** The export `toJsonSchema`, for validators that tell no JSON Schema. */
  readonly toJsonSchema: ToJsonSchema | undefined
}

/** As {@link loadSource}, with the function that tells the JSON Schemas of its validators. */
export async function loadContract(specifier: string): Promise<LoadedContract> {
  const [file, name] = split(specifier)
  const path = resolve(file)
  if (!existsSync(path)) throw new UsageError(`The module ${file} does not exist.`)
  if (!statSync(path).isFile())
    throw new UsageError(
      `${file} is no module: write a file, as in ${file.replace(/\/$/, '')}/registry.ts.`,
    )
  const exported = await load(path, file)
  const toJsonSchema: unknown = Reflect.get(exported, 'toJsonSchema')
  return {
    source: pick(exported, file, name),
    toJsonSchema: isToJsonSchema(toJsonSchema) ? toJsonSchema : undefined,
  }
}

function isToJsonSchema(value: unknown): value is ToJsonSchema {
  return typeof value === 'function'
}

// The name of a file may contain "#".
function split(specifier: string): readonly [string, string | undefined] {
  const index = specifier.lastIndexOf('#')
  if (index < 1 || existsSync(resolve(specifier))) return [specifier, undefined]
  return [specifier.slice(0, index), specifier.slice(index + 1)]
}

// Node rejects some valid modules with these codes. jiti may load them.
const retriedCodes: ReadonlySet<unknown> = new Set([
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
    const first: LoadFailure = { error, loader: 'node' }
    const isRetried =
      retriedCodes.has(Reflect.get(Object(error), 'code')) ||
      (isTypeScript && error instanceof SyntaxError)
    if (isRetried) return loadByJiti(url, file, first)
    // Some releases of Node do not tell where a JavaScript file has a syntax error. jiti does.
    if (isSyntaxError(error) && !hasPlace(first)) await loadByJiti(url, file, first)
    throw toUsageError(file, first)
  }
}

// Tells the error of Node where it is the reason, else what kept jiti from loading the module.
async function loadByJiti(url: string, file: string, first: LoadFailure): Promise<object> {
  const jiti = await importOptional(() => import('jiti'))
  if (jiti === undefined) throw withoutJiti(file, first)
  try {
    return Object(await jiti.createJiti(url, { fsCache: false, interopDefault: false }).import(url))
  } catch (error) {
    const second: LoadFailure = { error, loader: 'jiti' }
    const isReason =
      isLinkError(first.error) || (isSyntaxError(first.error) && isSyntaxError(error))
    throw isReason ? toUsageError(file, first, second) : toUsageError(file, second)
  }
}

/** As {@link toUsageError}, without jiti. Says how to install it, unless it would fail as well. */
export function withoutJiti(file: string, failure: LoadFailure): UsageError {
  const { error } = failure
  const { code, message } = Object(error)
  if (code === 'ERR_UNKNOWN_FILE_EXTENSION' && / "\.[cm]?tsx?" /.test(message))
    return new UsageError(
      `${file} cannot be loaded: Node ${process.versions.node} runs no TypeScript by itself, ` +
        `and the package "jiti", which does, is not installed: ${installOf('jiti')}`,
    )
  const reason = toUsageError(file, failure)
  const isPackage = /^Cannot find package /.test(message)
  if (isPackage || code === 'ERR_UNKNOWN_FILE_EXTENSION' || isSyntaxError(error)) return reason
  return new UsageError(`${reason.message}\nThe package "jiti" may load it: ${installOf('jiti')}`)
}

// Names in order of preference.
const preferred = ['registry', 'api', 'default'] as const

function pick(exported: object, file: string, name: string | undefined): Source {
  const inner = Reflect.get(exported, 'default')
  // A CommonJS module has all its exports in the default export.
  const all = { ...(isRecord(inner) && !isSource(inner) ? inner : {}), ...exported }
  const sources = new Map<string, Source>()
  for (const [key, value] of Object.entries(all)) if (isSource(value)) sources.set(key, value)
  const names = [...sources.keys()]
  const key = name ?? preferred.find((candidate) => sources.has(candidate))
  const chosen = key === undefined ? undefined : sources.get(key)
  if (chosen) return chosen
  if (name !== undefined) {
    const hint = names.length > 0 ? `: ${meant(name, names)}` : ''
    throw new UsageError(`${file} exports no registry and no API as "${name}"${hint}.`)
  }
  const distinct = new Set(sources.values())
  const [only] = distinct
  if (only && distinct.size === 1) return only
  throw new UsageError(
    only === undefined
      ? `${file} exports no registry and no API: export the result of ` +
          'defineRegistry(…).adapters(…) or defineApi(…), as "registry" or "api".'
      : `${file} exports several (${names.join(', ')}): pick one, as in ${file}#${names[0]}.`,
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
