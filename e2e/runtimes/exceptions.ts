import type { Subject } from './subjects.ts'

/** A response that the runtime decides, not the library. */
export interface Exception extends Reason {
  /** The name of the table of requests. */
  readonly name: string
  /** The other response of each request, checked by the run; `undefined` for the usual one. */
  readonly instead: readonly (string | undefined)[]
}

/** A check that fails on a runtime. The run also checks that it still fails. */
export interface Lack extends Reason {
  /** The name of the check. */
  readonly name: string
  /** Chance decides: the check may also pass. */
  readonly isByChance?: true
}

interface Reason {
  /** The subjects; a missing part means all. */
  readonly on: { readonly [Part in 'runtime' | 'door' | 'storage']?: Several<Subject[Part]> }
  readonly why: string
}

type Several<Value> = Value | readonly Value[]

/**
 * Finds the exception of a name for a subject.
 *
 * @throws {Error} For several exceptions.
 */
export function exceptionFor<Of extends Exception | Lack>(
  of: readonly Of[],
  name: string,
  { runtime, door, storage }: Subject,
): Of | undefined {
  const found = of.filter(
    ({ on, name: named }) =>
      named === name &&
      [on.runtime ?? runtime].flat().includes(runtime) &&
      [on.door ?? door].flat().includes(door) &&
      [on.storage ?? storage].flat().includes(storage),
  )
  if (found.length > 1) throw new Error(`There are several exceptions: ${name}, ${door}`)
  return found[0]
}

const same = undefined
const parsed = ['toNodeListener', 'toFetchHandler, srvx'] as const
const onBun = 'toFetchHandler, Bun.serve'
const onDeno = 'toFetchHandler, deno serve'
const onWorkers = ['toFetchHandler, a Worker', 'toFetchHandler, a Worker with flags'] as const
// RESULTS.md explains these three.
const url = '*URL*'
const parser = '*parser*'
const bytes = '*no bytes*'

/** Every difference, with its reason. */
export const exceptions: readonly Exception[] = [
  {
    name: 'dot segments',
    on: { door: ['toFetchHandler, srvx', onBun] },
    instead: ['200', '200', '200', '200', '200'],
    why: url,
  },
  {
    name: 'dot segments',
    on: { door: onWorkers },
    instead: ['200', '200', same, '200', same],
    why: url,
  },
  {
    name: 'dot segments of a DELETE',
    on: { door: ['toFetchHandler, srvx', onBun] },
    instead: ['400 bad_path', '400 bad_path', '400 bad_path', same],
    why: `${url}. The rest ends with a slash, so the server refuses it.`,
  },
  {
    name: 'dot segments of a DELETE',
    on: { door: onWorkers },
    instead: ['400 bad_path', '400 bad_path', same, same],
    why: `${url}. The rest ends with a slash, so the server refuses it.`,
  },
  {
    name: 'characters outside a target',
    on: { door: ['toFetchHandler, srvx', onBun] },
    instead: ['200', '404 unknown_resource', same, same, same, same, same],
    why: url,
  },
  {
    name: 'absolute and asterisk targets',
    on: { door: ['toFetchHandler, srvx', onDeno] },
    instead: [same, '404 unknown_resource'],
    why: '`*` is no URL: the host turns it into a path.',
  },
  {
    name: 'absolute and asterisk targets',
    on: { door: onBun },
    instead: [same, '400'],
    why: '`*` is no URL: the server responds by itself.',
  },
  {
    name: 'absolute and asterisk targets',
    on: { runtime: 'bun', door: 'toNodeListener' },
    instead: [same, '400'],
    why: parser,
  },
  {
    name: 'absolute and asterisk targets',
    on: { runtime: 'bun', door: 'serve' },
    instead: [same, '400 bad_request'],
    why: 'The parser of the server does not know `*`.',
  },
  {
    name: 'absolute and asterisk targets',
    on: { door: onWorkers },
    instead: ['500', '500'],
    why: bytes,
  },
  {
    name: 'bodies of GET',
    on: { door: ['toFetchHandler, srvx', onBun, onDeno] },
    instead: ['200', '200', '200'],
    why: 'A `Request` of GET or HEAD has no body: the host drops it.',
  },
  {
    name: 'unknown methods',
    on: { door: parsed },
    instead: ['400', '400'],
    why: parser,
  },
  {
    name: 'unknown methods',
    on: { runtime: 'deno', door: 'serve' },
    instead: ['400 bad_request', '400 bad_request'],
    why: 'The parser gives no reason for its refusal.',
  },
  {
    name: 'unknown methods',
    on: { runtime: 'bun', door: 'serve' },
    instead: ['400 bad_request', '400 bad_request'],
    why: 'A socket has no count of its bytes, so the server cannot recognize the first packet.',
  },
  {
    name: 'unknown methods',
    on: { door: onBun },
    instead: ['nothing', 'nothing'],
    why: 'The server closes the connection without a response.',
  },
  {
    name: 'unknown methods',
    on: { door: onWorkers },
    instead: ['501', '501'],
    why: bytes,
  },
  { name: 'CONNECT', on: { door: parsed }, instead: ['nothing'], why: parser },
  {
    name: 'CONNECT',
    on: { door: [onBun, onDeno] },
    instead: ['400 bad_path'],
    why: 'The target arrives as a URL: the same response with other words.',
  },
  { name: 'CONNECT', on: { door: onWorkers }, instead: ['500'], why: bytes },
  {
    name: 'contradicting lengths',
    on: { door: [...parsed, onBun, onDeno] },
    instead: ['400', '400', '400', '400'],
    why: parser,
  },
  {
    name: 'contradicting lengths',
    on: { door: onWorkers },
    instead: ['500', '422 validation_failed', '500', '500'],
    why: bytes,
  },
  {
    name: 'malformed header fields',
    on: { door: [...parsed, onBun, onDeno, ...onWorkers] },
    instead: ['400', '400'],
    why: parser,
  },
  {
    name: 'a second Host',
    on: { door: [...parsed, onBun] },
    instead: ['200'],
    why: 'The server uses the first; `serve` and `harden` refuse.',
  },
  { name: 'a second Host', on: { door: onDeno }, instead: ['400'], why: parser },
  { name: 'a second Host', on: { door: onWorkers }, instead: ['500'], why: bytes },
  {
    name: 'large heads',
    on: { door: [...parsed, onBun] },
    instead: ['431'],
    why: parser,
  },
  { name: 'large heads', on: { door: onDeno }, instead: ['400'], why: parser },
  {
    name: 'large heads',
    on: { door: onWorkers },
    instead: ['200'],
    why: 'The limit of the server is higher.',
  },
  { name: 'expectations', on: { door: parsed }, instead: ['417'], why: parser },
  {
    name: 'expectations',
    on: { door: [onBun, onDeno, ...onWorkers] },
    instead: ['200'],
    why: 'The server ignores it.',
  },
  {
    name: 'search',
    on: { storage: 'D1' },
    instead: [same, same, '200', same, same, same, '200', same, same, same],
    why: 'D1 has no function that folds case beyond ASCII, so a search distinguishes it.',
  },
]

/** Every check that fails on a runtime, with its reason. */
export const lacks: readonly Lack[] = [
  {
    name: 'a client that leaves ends a list',
    on: { door: 'toFetchHandler, a Worker' },
    isByChance: true,
    why:
      'workerd stops reading and drops the request; mostly no more code runs. ' +
      'With the flag `enable_request_signal` the list ends.',
  },
  {
    name: 'a client that leaves aborts the signal of a slow adapter',
    on: { door: onWorkers },
    why: 'workerd notices at its next write that a client has left.',
  },
  {
    name: 'a client that leaves aborts the signal of a slow adapter',
    on: { runtime: 'bun', door: 'serve' },
    why:
      'Bun does not report the end of the client side of a half-open connection. ' +
      '`toNodeListener` and `Bun.serve` notice it.',
  },
]
