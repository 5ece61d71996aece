import { maxTimer } from './awaitable.ts'

/** The default bounds on what a client may send and what an error may answer. */
export const defaultLimits = {
  /** Bytes of a request target, path and query together. At least 512. Default 4,096. */
  target: 4096,
  /** Parents that a path template may have. Default 8. */
  nesting: 8,
  /** Bytes of a request body. Default 1,048,576. */
  body: 1_048_576,
  /** Levels of arrays and objects in a JSON body. Default 32. */
  depth: 32,
  /** Different keys in a JSON body, in all its objects together. Default 5,000. */
  keys: 5000,
  /** Values in a JSON body: fields, elements, objects and arrays. Default 50,000. */
  values: 50_000,
  /** Items of one bulk update. Default 1,000. */
  bulk: 1000,
  /** Issues named in one problem. Default 50. */
  issues: 50,
  /** Bytes of a problem document. Default 65,536. */
  problem: 65_536,
  /**
   * Milliseconds that context, middleware, validators and adapter may take together, without the
   * arrival of the body. Then the core aborts their signal. Each slice of a list that the adapter
   * gives item by item may take as long. Default 30,000.
   */
  time: 30_000,
  /** Milliseconds in which a body has to arrive. Default 60,000. */
  arrival: 60_000,
}

/** The bounds on what a client may send and what an error may answer; options of the registry. */
export type Limits = { readonly [Name in keyof typeof defaultLimits]: number }

/** The most items of a page where the resource sets none. */
export const defaultMaxLimit = 1000

/** The most sort fields of a request. */
export const maxSortFields = 8

/** The most characters of a search. */
export const maxSearchLength = 256

/** The most characters of an id. */
export const maxIdLength = 255

/** The most items of a page with `include`. */
export const maxIncluding = 1000

/** The most filters and sort fields of related items in a request, together. */
export const maxRelatedFields = 4

/** The most items that the filters of a reference may select. */
export const maxRelated = 1000

/** The most groups of a count by values. */
export const maxGroups = 1000

/** The most tries of a write whose item changes meanwhile. */
export const maxTries = 8

/** The least limit of a target, in bytes. */
const leastTarget = 512

/**
 * Checks the limits of a registry.
 *
 * @throws {TypeError} For a limit that is no whole number from 1, a time above `maxTimer`, and a
 *   target below 512 bytes.
 */
export function checkLimits(limits: Limits): void {
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new TypeError(`Limit "${name}" is ${limit}: use a whole number from 1.`)
    }
  }
  if (limits.target < leastTarget) {
    throw new TypeError(
      `Limit "target" is ${limits.target}: use at least ${leastTarget} bytes, of which a page ` +
        'leaves a quarter for the cursor of the next one.',
    )
  }
  const name = (['time', 'arrival'] as const).find((name) => limits[name] > maxTimer)
  if (name === undefined) return
  throw new TypeError(
    `Limit "${name}" is ${limits[name]}: use at most ${maxTimer}, as it is in milliseconds.`,
  )
}
