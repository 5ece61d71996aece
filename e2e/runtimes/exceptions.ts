import type { Subject } from './subjects.ts'

/** Where a runtime, and not the library, has the last word. */
export interface Exception extends Reason {
  /** The name of the table of requests. */
  readonly name: string
  /** What is answered instead, request by request; `undefined` where it is what everybody answers. Checked to be still so. */
  readonly instead: readonly (string | undefined)[]
}

/** What does not hold somewhere. Checked to be still so, where it never holds. */
export interface Lack extends Reason {
  /** The name of the check. */
  readonly name: string
  /** Chance decides: it may hold as well. */
  readonly isByChance?: true
}

interface Reason {
  /** Where; what is not named: everywhere. */
  readonly on: { readonly [Part in 'runtime' | 'door' | 'storage']?: Several<Subject[Part]> }
  readonly why: string
}

type Several<Value> = Value | readonly Value[]

/**
 * The exception of a name that holds for a subject.
 *
 * @throws {Error} Where there are several.
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
const url = 'A `Request` has a URL, which the host has parsed: dots are resolved, `\\` is `/`.'
const parser =
  'The parser of the server answers by itself; `serve` and `harden` do so in its place.'
const bytes = 'The server answers by itself, or takes it: the handler sees no bytes.'

/** Every difference there is, and why. */
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
    name: 'dot segments that would delete everything',
    on: { door: ['toFetchHandler, srvx', onBun] },
    instead: ['400 bad_path', '400 bad_path', '400 bad_path', same],
    why: `${url} What is left of them ends with a slash, and is refused for that.`,
  },
  {
    name: 'dot segments that would delete everything',
    on: { door: onWorkers },
    instead: ['400 bad_path', '400 bad_path', same, same],
    why: `${url} What is left of them ends with a slash, and is refused for that.`,
  },
  {
    name: 'characters that targets have not',
    on: { door: ['toFetchHandler, srvx', onBun] },
    instead: ['200', '404 unknown_resource', same, same, same, same, same],
    why: url,
  },
  {
    name: 'targets of other forms',
    on: { door: ['toFetchHandler, srvx', onDeno] },
    instead: [same, '404 unknown_resource'],
    why: '`*` is no URL: the host makes a path of it.',
  },
  {
    name: 'targets of other forms',
    on: { door: onBun },
    instead: [same, '400'],
    why: '`*` is no URL: the server answers by itself.',
  },
  {
    name: 'targets of other forms',
    on: { runtime: 'bun', door: 'toNodeListener' },
    instead: [same, '400'],
    why: parser,
  },
  {
    name: 'targets of other forms',
    on: { runtime: 'bun', door: 'serve' },
    instead: [same, '400 bad_request'],
    why: 'The parser of the server does not know `*`.',
  },
  {
    name: 'targets of other forms',
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
    name: 'methods that are none',
    on: { door: parsed },
    instead: ['400', '400'],
    why: parser,
  },
  {
    name: 'methods that are none',
    on: { runtime: 'deno', door: 'serve' },
    instead: ['400 bad_request', '400 bad_request'],
    why: 'The parser does not say why it refuses a request.',
  },
  {
    name: 'methods that are none',
    on: { runtime: 'bun', door: 'serve' },
    instead: ['400 bad_request', '400 bad_request'],
    why: 'A socket does not tell how many bytes it has read, so no packet is known to begin a connection.',
  },
  {
    name: 'methods that are none',
    on: { door: onBun },
    instead: ['nothing', 'nothing'],
    why: 'The server closes the connection without an answer.',
  },
  {
    name: 'methods that are none',
    on: { door: onWorkers },
    instead: ['501', '501'],
    why: bytes,
  },
  { name: 'CONNECT', on: { door: parsed }, instead: ['nothing'], why: parser },
  {
    name: 'CONNECT',
    on: { door: [onBun, onDeno] },
    instead: ['400 bad_path'],
    why: 'What is asked for comes as a URL: the same answer in other words.',
  },
  { name: 'CONNECT', on: { door: onWorkers }, instead: ['500'], why: bytes },
  {
    name: 'lengths that contradict',
    on: { door: [...parsed, onBun, onDeno] },
    instead: ['400', '400', '400', '400'],
    why: parser,
  },
  {
    name: 'lengths that contradict',
    on: { door: onWorkers },
    instead: ['500', '422 validation_failed', '500', '500'],
    why: bytes,
  },
  {
    name: 'fields that are none',
    on: { door: [...parsed, onBun, onDeno, ...onWorkers] },
    instead: ['400', '400'],
    why: parser,
  },
  {
    name: 'a second Host',
    on: { door: [...parsed, onBun] },
    instead: ['200'],
    why: 'The server takes the first; `serve` and `harden` refuse.',
  },
  { name: 'a second Host', on: { door: onDeno }, instead: ['400'], why: parser },
  { name: 'a second Host', on: { door: onWorkers }, instead: ['500'], why: bytes },
  {
    name: 'heads that are too large',
    on: { door: [...parsed, onBun] },
    instead: ['431'],
    why: parser,
  },
  { name: 'heads that are too large', on: { door: onDeno }, instead: ['400'], why: parser },
  {
    name: 'heads that are too large',
    on: { door: onWorkers },
    instead: ['200'],
    why: 'The limit of the server is higher.',
  },
  { name: 'expectations', on: { door: parsed }, instead: ['417'], why: parser },
  {
    name: 'expectations',
    on: { door: [onBun, onDeno, ...onWorkers] },
    instead: ['200'],
    why: 'The server takes no notice of it.',
  },
  {
    name: 'search',
    on: { storage: 'D1' },
    instead: [same, same, '200', same, same, same, '200', same, same, same],
    why: 'D1 takes no function that folds the case of letters beyond ASCII: they are found as they were written.',
  },
]

/** Every check that does not hold somewhere, and why. */
export const lacks: readonly Lack[] = [
  {
    name: 'a client that leaves ends a list',
    on: { door: 'toFetchHandler, a Worker' },
    isByChance: true,
    why: 'workerd stops asking for more and drops the request as it is: mostly nothing runs any more. With the flag `enable_request_signal` the list is ended.',
  },
  {
    name: 'a client that leaves aborts the signal of a slow adapter',
    on: { door: onWorkers },
    why: 'workerd sees that a client has left when it writes to it, not before.',
  },
  {
    name: 'a client that leaves aborts the signal of a slow adapter',
    on: { runtime: 'bun', door: 'serve' },
    why: 'Of a connection that may be half open Bun does not tell that the client has ended its side. `toNodeListener` and `Bun.serve` see it.',
  },
]
