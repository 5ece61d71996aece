import type { Json } from '../contract/schema/schema.ts'
import type { OperationKind } from '../convention/operations.ts'
import { isSame } from '../convention/value.ts'
import type { Verdict } from '../schemas/change.ts'
import { pairBy } from '../sets/canonical.ts'
import { defined } from '../wire/defined.ts'
import { ruleOf } from './rules.ts'

/** A change of a contract. */
export interface ContractChange {
  /** The row of the rules: `request-max-length-lowered`. */
  readonly rule: string
  /** The place: `v1 /employees update /name`, `v1`, `v1 /employees`, or `limits`. */
  readonly at: string
  readonly from: Json
  readonly to: Json
  readonly verdict: Verdict
  /** Tells the change in a sentence: `a name may have 60 characters, it was 80`. */
  readonly message: string
  /** Says why the verdict is not the one of the row. */
  readonly because?: string
  /** The request or the answer that shows the break; `undefined` for none. */
  readonly witness?: WitnessExchange
  /** The field that a list of fields or a filter names; `undefined` for another change. */
  readonly field?: string
  /** The operations with the body or the items; `undefined` for a change of neither. */
  readonly operations?: readonly OperationKind[]
}

/** A request that was fine and is refused now, or an answer that the old contract excluded. */
export interface WitnessExchange {
  readonly method: string
  /** A target as a client writes it: `/v1/employees/7?sort=name`. */
  readonly target: string
  /** A header of the request, as a line: `If-Match: "1"`. */
  readonly header?: string
  /** The body of the request. */
  readonly body?: Json
  /** An item of the answer. */
  readonly answer?: Json
  /** Says what the exchange has that is too long to show: `a body of 1048576 bytes`. */
  readonly note?: string
}

/** A body that the new validator has to refuse, before the change counts as breaking. */
export interface Probe {
  /** The name of the resource on the new side. */
  readonly resource: string
  readonly body: 'create' | 'update'
  readonly value: Json
  /** The fields that the path or the caller gives, with values. */
  readonly filled: { readonly [field: string]: Json }
  /** The keys of a field that the new side has no more: it may be dropped in place of refused. */
  readonly lost?: readonly string[]
  /** The view takes the value, and its source resource refuses it. */
  readonly isThrough?: true
}

/** A change, and what is left to do before a user sees it. */
export interface FoundChange extends ContractChange {
  readonly probe?: Probe
  /** The part of a document that several places share: `components/parameters/Limit`. */
  readonly shared?: string
}

/** The facts of a change, beside its rule and its place. The rule gives the usual verdict. */
export type Facts = Pick<FoundChange, 'message'> & {
  readonly [Member in Exclude<keyof FoundChange, 'rule' | 'at' | 'message'>]?:
    | FoundChange[Member]
    | undefined
}

/** Names the rule of a change of a schema: some rules have a name for each side. */
export function ruleOfSide(side: 'request' | 'item', rule: string): string {
  return ruleOf(rule) === undefined ? `${side}-${rule}` : rule
}

/** Returns a change for users. */
export function withoutProbe({ probe: _, ...change }: FoundChange): ContractChange {
  return change
}

/** Makes a change by a rule at a place. */
export function makeChange(rule: string, at: string, facts: Facts): FoundChange {
  const { from = null, to = null, verdict = ruleOf(rule)?.verdict ?? 'depends', message } = facts
  const { field, because, witness, probe, shared } = facts
  const more = defined({ field, because, witness, probe, shared })
  return { rule, at, from, to, verdict, message, ...more }
}

/** The rule of a change with its message, and what else the change has. */
export type RuledChange = readonly [rule: string, message: string, more?: Partial<Facts>]

/** The changes of a fact that a contract may lack. */
interface FactRules {
  /** The old contract lacks the fact. */
  readonly set: RuledChange
  /** The new contract lacks it. Default: `set`. */
  readonly dropped?: RuledChange
  /** Both contracts have one. Default: `set`. */
  readonly changed?: RuledChange
}

/** Makes the change of a fact that a contract may lack, as `undefined`. */
export function factChanges(
  at: string,
  [from, to]: readonly [from: Json | undefined, to: Json | undefined],
  { set, dropped = set, changed = set }: FactRules,
): readonly FoundChange[] {
  if (isSame(from, to)) return []
  const [rule, message, more] = from === undefined ? set : to === undefined ? dropped : changed
  return [makeChange(rule, at, { from, to, message, ...more })]
}

/** The changes of an element that one of two lists has alone. */
interface ListRules<Element> {
  readonly removed: (element: Element) => RuledChange
  readonly added: (element: Element) => RuledChange
}

/** Makes the changes of a list without an order. */
export function listChanges<Element extends string>(
  at: string,
  [old, next]: readonly [readonly Element[], readonly Element[]],
  { removed, added }: ListRules<Element>,
): readonly FoundChange[] {
  const alone = pairBy(old, next, (element) => element)
  return [
    ...alone.removed.flatMap((from) => factChanges(at, [from, undefined], { set: removed(from) })),
    ...alone.added.flatMap((to) => factChanges(at, [undefined, to], { set: added(to) })),
  ]
}
