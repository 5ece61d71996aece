import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { Api } from '../contract/resource/api.ts'
import type { Registry } from '../contract/resource/registry.ts'
import type { ToJsonSchema } from '../contract/schema/json-schema.ts'
import { meant } from '../convention/declaration.ts'
import { isRecord } from '../convention/value.ts'
import { UsageError } from '../trial/check/usage-error.ts'

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
  const exported = await asCommand(() => load(path, file))
  const toJsonSchema: unknown = Reflect.get(exported, 'toJsonSchema')
  return {
    source: pick(exported, file, name),
    toJsonSchema: isToJsonSchema(toJsonSchema) ? toJsonSchema : undefined,
  }
}

// Lets `serve` know, which the module may call: a running service may have taken its port.
async function asCommand<Loaded>(work: () => Promise<Loaded>): Promise<Loaded> {
  const key = Symbol.for('nounful.command')
  Reflect.set(globalThis, key, true)
  try {
    return await work()
  } finally {
    Reflect.deleteProperty(globalThis, key)
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

/** The packages that only some commands need: the user installs them. */
export type OptionalPackage = 'jiti' | 'yaml'

/** Returns the command that installs a package. */
export function installOf(name: OptionalPackage): string {
  return `npm install --save-dev ${name}`
}

/** Imports an optional package; `undefined` where it is not installed. */
export async function importOptional<Module>(
  load: () => Promise<Module>,
): Promise<Module | undefined> {
  try {
    return await load()
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

/** A failure to load a module. */
export interface LoadFailure {
  readonly error: unknown
  /** Node: the columns of a stack are those of the file. jiti: they are those of its output. */
  readonly loader: 'node' | 'jiti'
}

/**
 * Says why a module does not load, the place first: `contract.ts:4:12: Expression expected`.
 *
 * @param file The module, as the user named it.
 * @param failures Of one loader, or of both. The first has the message. The place is that of the
 *   first with a column, else of the first with a line.
 */
export function toUsageError(file: string, ...failures: readonly LoadFailure[]): UsageError {
  const [first] = failures
  const message = messageIn(first?.error)
  const places = failures.flatMap((failure) => placeOf(failure) ?? [])
  const place = places.find(({ column }) => column !== undefined) ?? places[0]
  if (place !== undefined) return new UsageError(`${formatPlace(place)}: ${message}`)
  const action = first?.error instanceof SyntaxError ? 'cannot be read' : 'cannot be loaded'
  return new UsageError(`${file} ${action}: ${message}`)
}

/** Tells whether a module, or one that it imports, has a syntax error. */
function isSyntaxError(error: unknown): boolean {
  const { code, message } = Object(error)
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return false
  return error instanceof SyntaxError || parseErrorSyntax.test(message)
}

/** Tells whether a module names an export that another one lacks. jiti takes such an import. */
function isLinkError(error: unknown): boolean {
  return error instanceof SyntaxError && / does not provide an export named /.test(error.message)
}

/** Tells whether a failure says where it comes from. */
function hasPlace(failure: LoadFailure): boolean {
  return placeOf(failure) !== undefined
}

// jiti writes `ParseError: Unexpected token  \n /notes/contract.ts:4:0`, with columns from 0.
const parseErrorSyntax = /^ParseError: ([\s\S]*?)\s*\n (.+):(\d+):(\d+)$/

function messageIn(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  const [, parsed] = parseErrorSyntax.exec(text) ?? []
  const specifier = missingIn(error)?.specifier
  const missing = specifier === undefined ? undefined : `Cannot find "${specifier}"`
  return missing ?? ((parsed ?? text).trim() || 'it throws')
}

interface Place {
  readonly path: string
  readonly line: number
  readonly column?: number | undefined
}

function formatPlace({ path, line, column }: Place): string {
  const near = relative(process.cwd(), path)
  const displayPath = near.startsWith('..') || isAbsolute(near) ? path : near
  return [displayPath, line, ...(column === undefined ? [] : [column])].join(':')
}

function placeOf(failure: LoadFailure): Place | undefined {
  const { error } = failure
  return parsedPlace(error) ?? missingIn(error)?.place ?? framedPlace(error) ?? stackPlace(failure)
}

function parsedPlace(error: unknown): Place | undefined {
  const [, , path, line, column] = parseErrorSyntax.exec(Object(error).message) ?? []
  if (path === undefined) return undefined
  return { path, line: Number(line), column: Number(column) + 1 }
}

// Node puts the place, the lines and a mark below the column before the stack of a syntax error.
function framedPlace(error: unknown): Place | undefined {
  const [head = '', ...lines] = stackOf(error)
  const [, path, line] = /^(?:file:\/\/)?((?:[A-Za-z]:)?[\\/].*):(\d+)$/.exec(head) ?? []
  if (path === undefined) return undefined
  const isFile = head.startsWith('file:')
  const mark = lines.find((text) => /^\s*\^+\s*$/.test(text))
  return {
    path: isFile ? fileURLToPath(`file://${path}`) : path,
    line: Number(line),
    column: mark === undefined ? undefined : mark.indexOf('^') + 1,
  }
}

function stackOf(error: unknown): readonly string[] {
  return error instanceof Error ? (error.stack ?? '').split('\n') : []
}

interface Frame {
  readonly name: string
  readonly path: string
  readonly line: number
  readonly column: number
}

function framesOf(error: unknown): readonly Frame[] {
  return stackOf(error).flatMap((text) => {
    const [, name = '', at = '', line, column] =
      /^ +at (?:(.*) \()?(?:async )?((?:file:\/\/)?(?:[A-Za-z]:)?[\\/].*):(\d+):(\d+)\)?$/.exec(
        text,
      ) ?? []
    if (at === '') return []
    const path = at.startsWith('file:') ? fileURLToPath(at) : at
    return [{ name, path, line: Number(line), column: Number(column) }]
  })
}

// The sources and the build of this package, where they lie in no node_modules.
const [, root = ''] = /^(.*[\\/])(?:src|dist)[\\/]/.exec(fileURLToPath(import.meta.url)) ?? []
const packageFolders = ['src', 'dist'].map((folder) => join(root, folder, sep))

function isForeign({ path }: Frame): boolean {
  return (
    !/[\\/]node_modules[\\/]/.test(path) &&
    !packageFolders.some((folder) => path.startsWith(folder))
  )
}

function stackPlace({ error, loader }: LoadFailure): Place | undefined {
  const frames = framesOf(error)
  const index = frames.findIndex(isForeign)
  const frame = frames[index]
  if (frame === undefined) return undefined
  const { path, line, column } = frame
  if (loader === 'node') return { path, line, column }
  return { path, line, column: columnOf(frame, frames[index - 1]) }
}

// jiti keeps lines, not columns: the callee or the thrown error shows where in its line.
function columnOf({ path, line }: Frame, callee: Frame | undefined): number | undefined {
  const name = callee?.name.split(/[. ]/).at(-1)
  const sought = name === undefined || name === '' ? 'new ' : `${name}(`
  const at = (textOf(path).split('\n')[line - 1] ?? '').indexOf(sought)
  return at < 0 ? undefined : at + 1
}

interface Missing {
  /** As the importing module writes it. */
  readonly specifier: string
  readonly place: Place | undefined
}

// Node names the resolved path and the importer, jiti the specifier and a list of importers.
function missingIn(error: unknown): Missing | undefined {
  const { code, message, requireStack } = Object(error)
  if (code !== 'MODULE_NOT_FOUND' && code !== 'ERR_MODULE_NOT_FOUND') return undefined
  const [, target, from] =
    /^Cannot find (?:module|package) '(.+?)'(?: imported from (.+))?$/m.exec(message) ?? []
  const path = from ?? (Array.isArray(requireStack) ? requireStack[0] : undefined)
  if (target === undefined) return undefined
  const importer = typeof path === 'string' && path.startsWith('file:') ? fileURLToPath(path) : path
  if (typeof importer !== 'string') return { specifier: target, place: undefined }
  return importIn(importer, target) ?? { specifier: target, place: undefined }
}

function importIn(path: string, target: string): Missing | undefined {
  for (const [index, text] of textOf(path).split('\n').entries()) {
    for (const match of text.matchAll(/(?:\bfrom|\bimport|\brequire)\s*\(?\s*(['"])(.+?)\1/g)) {
      const specifier = match[2] ?? ''
      if (specifier !== target && resolve(dirname(path), specifier) !== target) continue
      const column = match.index + match[0].lastIndexOf(match[1] ?? '', match[0].length - 2) + 1
      return { specifier, place: { path, line: index + 1, column } }
    }
  }
  return undefined
}

function textOf(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}
