import { type Occurrence, occurrences } from '../model/checks.ts'
import {
  operations,
  type ParameterType,
  type ProblemCode,
  parameters,
  problems,
  reservedWords,
  type Status,
  statuses,
} from '../model/convention.ts'
import { bodySchemaOf, isConditional } from '../model/kinds.ts'
import type { Service, Spot } from './source.ts'

/** What decides which problems an operation can be answered with. */
export interface Circumstances extends Spot {
  readonly service: Pick<Service, 'isGuarded' | 'isBound' | 'kindsOf'>
  /** Somebody else asks who is there: a gateway. */
  readonly isSecured: boolean
}

type Condition = (about: Circumstances) => boolean

const takesBody: Condition = ({ kind }) => operations[kind].takes !== 'nothing'
const takes =
  (...types: readonly ParameterType[]): Condition =>
  ({ parameters: names }) =>
    names.some((name) => types.includes(parameters[name].type))

// A client can fill `{id}` with a reserved word, whose target takes GET at most.
const isReservedToo: Condition = ({ kind, collection, service }) => {
  const { target, safe } = operations[kind]
  const kinds = service.kindsOf(collection)
  return target === 'item' && (!safe || !reservedWords.every((word) => kinds.includes(word)))
}

/** Decides where each problem can occur, for a path and a method of the document. */
const conditions: Readonly<Record<Exclude<Occurrence, 'absent'>, Condition>> = {
  always: () => true,
  never: () => false,
  body: takesBody,
  'no body': (about) => !takesBody(about),
  items: ({ kind }) => operations[kind].takes === 'items',
  'new item': ({ kind }) => bodySchemaOf(kind) === 'create',
  'replaced item': ({ kind }) =>
    bodySchemaOf(kind) === 'update' && operations[kind].target === 'item',
  write: ({ kind }) => !operations[kind].safe,
  condition: ({ kind }) => operations[kind].conditions.length > 0,
  bound: ({ kind }) => isConditional(kind, 'bound'),
  parent: ({ collection }) => collection.ancestors.length > 0,
  method: (about) => !about.service.isBound || isReservedToo(about),
  caller: ({ service, isSecured }) => service.isGuarded || isSecured,
  guard: ({ service }) => service.isGuarded,
  value: takes('text', 'integer'),
  'single value': takes('text', 'integer', 'cursor'),
  sort: takes('fields'),
  // Where nothing is sortable, the first of two equal fields is unknown already.
  sortable: (about) => takes('fields')(about) && about.collection.resource.sortable.length > 0,
  cursor: takes('cursor'),
}

function canOccur(code: ProblemCode, about: Circumstances): boolean {
  const { occurs } = occurrences[code]
  if (occurs === 'absent') return operations[about.kind].absent === code
  return conditions[occurs](about)
}

/** The codes of problems by their status. */
export type CodesByStatus = ReadonlyMap<Status, readonly ProblemCode[]>

const codes = Object.keys(problems) as readonly ProblemCode[]

/**
 * The problems that an operation can be answered with, in the order of the convention.
 *
 * @param more What middleware and adapters throw besides.
 */
export function codesFor(about: Circumstances, more: readonly ProblemCode[]): CodesByStatus {
  return byStatus(codes.filter((code) => canOccur(code, about) || more.includes(code)))
}

const ofPaths = ['bad_path', 'bad_percent_encoding'] as const satisfies readonly ProblemCode[]
const ofDoors = [
  'bad_request',
  'bad_host',
  'uri_too_long',
  'headers_too_large',
  'request_timeout',
  'expectation_failed',
] as const satisfies readonly ProblemCode[]

/** The problems that OPTIONS can be answered with at a path: nothing but the ids in it may be wrong. */
export function codesOfOptions(path: string): CodesByStatus {
  return byStatus(path.includes('{') ? [...ofPaths, ...ofDoors] : ofDoors)
}

function byStatus(some: readonly ProblemCode[]): CodesByStatus {
  const found = statuses.map(
    (status) => [status, some.filter((code) => problems[code].status === status)] as const,
  )
  return new Map(found.filter(([, codes]) => codes.length > 0))
}
