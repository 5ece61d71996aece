import { type Occurrence, occurrences } from '../convention/checks.ts'
import { bodyOf, bodySchemaOf, isConditional, ruleNameOf } from '../convention/kinds.ts'
import {
  operations,
  type ProblemCode,
  reservedWords,
  type Status,
  statuses,
} from '../convention/operations.ts'
import { problems } from '../convention/problems.ts'
import {
  creatingKindIn,
  isKeyed,
  type OperationAt,
  type Service,
  takesSingleValue,
  takesType,
} from './source.ts'

/** An operation with the facts that decide which problems it can have. */
export interface ProblemContext extends OperationAt {
  readonly service: Pick<Service, 'isGuarded' | 'isBound' | 'kindsOf' | 'rulesOf'>
  /** The option `security` is set: a gateway may authenticate clients. */
  readonly isSecured: boolean
}

type Condition = (context: ProblemContext) => boolean

const takesBody: Condition = ({ kind }) => bodyOf(kind) !== undefined

// A client may fill `{id}` with a reserved word, which allows GET at most.
const mayBeReserved: Condition = ({ kind, collection, service }) => {
  const { target, safe } = operations[kind]
  const kinds = service.kindsOf(collection)
  return target === 'item' && (!safe || !reservedWords.every((word) => kinds.includes(word)))
}

const mayHaveCaller: Condition = ({ service, isSecured }) => service.isGuarded || isSecured

// A PUT that creates asks the rule of new items too.
const hasRule: Condition = (context) => {
  const { kind, collection, service } = context
  const creatingKind = creatingKindIn(context)
  const rules = [ruleNameOf(kind), creatingKind && ruleNameOf(creatingKind)]
  return service.rulesOf(collection).some((rule) => rules.includes(rule))
}

/** Decides where each problem can occur, for a path and a method of the document. */
const conditions: Readonly<Record<Exclude<Occurrence, 'absent'>, Condition>> = {
  always: () => true,
  // Errors in the head, and in the path with its ids. OPTIONS has no other problem.
  head: () => true,
  path: () => true,
  never: () => false,
  body: takesBody,
  'no body': (context) => !takesBody(context),
  items: ({ sends }) => sends !== 'one',
  'new item': ({ kind }) => bodySchemaOf(kind) === 'create',
  'replaced item': ({ kind }) =>
    bodySchemaOf(kind) === 'update' && operations[kind].target === 'item',
  write: ({ kind }) => !operations[kind].safe,
  key: isKeyed,
  // The others ignore the header.
  'unsupported key': ({ kind }) => isConditional(kind, 'key') || bodyOf(kind)?.isPatch === true,
  condition: ({ kind }) => isConditional(kind, 'revision') || isConditional(kind, 'bound'),
  bound: ({ kind }) => isConditional(kind, 'bound'),
  parent: ({ collection }) => collection.ancestors.length > 0,
  // A client may send the method of a selection without a query.
  method: (context) =>
    !context.service.isBound || mayBeReserved(context) || operations[context.kind].selects,
  caller: mayHaveCaller,
  refusal: (context) => mayHaveCaller(context) || hasRule(context),
  guard: ({ service }) => service.isGuarded,
  value: (context) => takesType(context, 'text', 'integer', 'names', 'filters', 'flag'),
  'single value': takesSingleValue,
  sort: (context) => takesType(context, 'fields'),
  cursor: (context) => takesType(context, 'cursor'),
}

function canOccur(code: ProblemCode, context: ProblemContext): boolean {
  const { occurs } = occurrences[code]
  if (occurs === 'absent') return operations[context.kind].absent === code
  return conditions[occurs](context)
}

/** A status of problems. */
export type ErrorStatus = Exclude<Status, 200 | 201>

/** The codes of problems by their status. */
export type CodesByStatus = readonly (readonly [status: ErrorStatus, codes: ProblemCode[]])[]

const codes = Object.keys(problems) as readonly ProblemCode[]

/**
 * Returns the problems of an operation, in the order of the convention.
 *
 * @param extraCodes Further problems of middleware and adapters.
 */
export function codesFor(
  context: ProblemContext,
  extraCodes: readonly ProblemCode[],
): CodesByStatus {
  return byStatus((code) => canOccur(code, context) || extraCodes.includes(code))
}

/** Returns the problems of OPTIONS at a path: only the head and the ids may be wrong. */
export function codesOfOptions(path: string): CodesByStatus {
  const occurrencesOfOptions = path.includes('{') ? ['path', 'head'] : ['head']
  return byStatus((code) => occurrencesOfOptions.includes(occurrences[code].occurs))
}

function byStatus(matches: (code: ProblemCode) => boolean): CodesByStatus {
  const codesByStatus = statuses.map(
    (status) =>
      [
        status as ErrorStatus,
        codes.filter((code) => problems[code].status === status && matches(code)),
      ] as const,
  )
  return codesByStatus.filter(([, codes]) => codes.length > 0)
}
