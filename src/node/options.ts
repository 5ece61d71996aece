import { maxTimer } from '../convention/awaitable.ts'
import { checkOptions } from '../convention/declaration.ts'
import { checkDecompress } from '../server/decompress.ts'
import { checkHosts } from './hosts.ts'
import { checkStop } from './stop-on.ts'

/** The default numbers: milliseconds, bytes or counts. A count of 0 means no limit. */
export const defaults = {
  port: 3000,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 5000,
  writeTimeout: 30_000,
  closeTimeout: 10_000,
  maxHeaderSize: 16_384,
  maxConnections: 0,
  maxRequestsPerSocket: 0,
} as const

type Name = keyof typeof defaults

/** Returns the numbers of a server: its options over the defaults. */
export function withDefaults(options: Partial<Record<Name, number>>): Record<Name, number> {
  const set = Object.entries(options).filter(
    ([name, value]) => Object.hasOwn(defaults, name) && value !== undefined,
  )
  return { ...defaults, ...Object.fromEntries(set) }
}

const milliseconds = { least: 1, most: maxTimer, what: 'a positive whole number of milliseconds' }
const count = { least: 0, most: Number.MAX_SAFE_INTEGER, what: 'a whole number, 0 for no limit' }

const ranges: Readonly<Record<Name, { least: number; most: number; what: string }>> = {
  port: { least: 0, most: 65_535, what: 'a whole number from 0 to 65535' },
  headersTimeout: milliseconds,
  requestTimeout: milliseconds,
  keepAliveTimeout: milliseconds,
  writeTimeout: milliseconds,
  closeTimeout: milliseconds,
  maxHeaderSize: { least: 1024, most: 2 ** 24, what: 'a whole number of bytes from 1024' },
  maxConnections: count,
  maxRequestsPerSocket: count,
}

const listenerOptions = { base: true, layers: true, decompress: true, writeTimeout: true }
const hardenOptions = { closeTimeout: true, hosts: true }
const serveOptions = { host: true, stopOn: true, onStop: true, log: true }
const optionNames = {
  'toNodeListener()': listenerOptions,
  'harden()': hardenOptions,
  'serve()': { ...listenerOptions, ...defaults, ...hardenOptions, ...serveOptions },
}

/**
 * Checks the options of a function of this door.
 *
 * @throws {TypeError} For an unknown or invalid option.
 */
export function checkNodeOptions(owner: keyof typeof optionNames, options: object): void {
  checkOptions(owner, options, optionNames[owner])
  checkHosts(Reflect.get(options, 'hosts'))
  checkStop(options)
  checkLog(Reflect.get(options, 'log'))
  checkDecompress(Reflect.get(options, 'decompress'))
  checkNumbers(options)
  const { headersTimeout, requestTimeout } = withDefaults(options)
  if (headersTimeout <= requestTimeout) return
  throw new TypeError(
    `headersTimeout cannot be ${headersTimeout}: write at most requestTimeout, ${requestTimeout}.`,
  )
}

function checkLog(log: unknown): void {
  if (log === undefined || log === false || typeof log === 'function') return
  throw new TypeError(
    `log cannot be ${inspect(log)}: write a function, as in "log: console.log", or false for none.`,
  )
}

// An environment variable is text: Node would take `'3000x'` for the name of a socket file.
function checkNumbers(options: object): void {
  for (const [name, { least, most, what }] of Object.entries(ranges)) {
    const value: unknown = Reflect.get(options, name)
    if (value === undefined || isWhole(value, least, most)) continue
    throw new TypeError(
      `${name} cannot be ${inspect(value)}: write ${what}, as in "${name}: ${example(name)}".`,
    )
  }
}

function isWhole(value: unknown, least: number, most: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}

function inspect(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

function example(name: string): string {
  const value: unknown = Reflect.get(defaults, name)
  return value === 0 ? '1000' : `${value}`
}
