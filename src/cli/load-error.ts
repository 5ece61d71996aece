import { existsSync, readFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { UsageError } from '../trial/check/usage-error.ts'

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
 * @param failures Of one loader, or of both: the first tells the message, and the first that has a
 *   column, or else a line, tells the place.
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
export function isSyntaxError(error: unknown): boolean {
  const { code, message } = Object(error)
  if (code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX') return false
  return error instanceof SyntaxError || parseErrorSyntax.test(message)
}

/** Tells whether a module names an export that another one lacks. jiti takes such an import. */
export function isLinkError(error: unknown): boolean {
  return error instanceof SyntaxError && / does not provide an export named /.test(error.message)
}

/** Tells whether a failure says where it comes from. */
export function hasPlace(failure: LoadFailure): boolean {
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
