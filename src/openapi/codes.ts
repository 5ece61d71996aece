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
import type { OperationAt, Service } from './source.ts'

/** An operation with the facts that decide which problems it can have. */
export interface ProblemContext extends OperationAt {
  readonly service: Pick<Service, 'isGuarded' | 'isBound' | 'kindsOf'>
  /** The option `security` is set: a gateway may authenticate clients. */
  readonly isSecured: boolean
}

type Condition = (about: ProblemContext) => boolean

const takesBody: Condition = ({ kind }) => operations[kind].takes !== 'nothing'
const takes =
  (...types: readonly ParameterType[]): Condition =>
  ({ parameters: names }) =>
    names.some((name) => types.includes(parameters[name].type))

// A client may fill `{id}` with a reserved word, which allows GET at most.
const mayBeReserved: Condition = ({ kind, collection, service }) => {
  const { target, safe } = operations[kind]
  const kinds = service.kindsOf(collection)
  return target === 'item' && (!safe || !reservedWords.every((word) => kinds.includes(word)))
}

/** Decides where each problem can occur, for a path and a method of the document. */
const conditions: Readonly<Record<Exclude<Occurrence, 'absent'>, Condition>> = {
  always: () => true,
  // Errors in the head, and in the path with its ids. OPTIONS has no other problem.
  head: () => true,
  path: () => true,
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
  method: (about) => !about.service.isBound || mayBeReserved(about),
  caller: ({ service, isSecured }) => service.isGuarded || isSecured,
  guard: ({ service }) => service.isGuarded,
  value: takes('text', 'integer'),
  'single value': takes('text', 'integer', 'cursor'),
  sort: takes('fields'),
  // Without sortable fields, the first field is already unknown.
  sortable: (about) => takes('fields')(about) && about.collection.resource.sortable.length > 0,
  cursor: takes('cursor'),
}

function canOccur(code: ProblemCode, about: ProblemContext): boolean {
  const { occurs } = occurrences[code]
  if (occurs === 'absent') return operations[about.kind].absent === code
  return conditions[occurs](about)
}

/** The codes of problems by their status. */
export type CodesByStatus = ReadonlyMap<Status, readonly ProblemCode[]>

const codes = Object.keys(problems) as readonly ProblemCode[]

/**
 * Returns the problems of an operation, in the order of the convention.
 *
 * @param more Further problems of middleware and adapters.
 */
export function codesFor(about: ProblemContext, more: readonly ProblemCode[]): CodesByStatus {
  return byStatus(codes.filter((code) => canOccur(code, about) || more.includes(code)))
}

/** Returns the problems of OPTIONS at a path: only the head and the ids may be wrong. */
export function codesOfOptions(path: string): CodesByStatus {
  const places = path.includes('{') ? ['path', 'head'] : ['head']
  return byStatus(codes.filter((code) => places.includes(occurrences[code].occurs)))
}

function byStatus(some: readonly ProblemCode[]): CodesByStatus {
  const found = statuses.map(
    (status) => [status, some.filter((code) => problems[code].status === status)] as const,
  )
  return new Map(found.filter(([, codes]) => codes.length > 0))
}
