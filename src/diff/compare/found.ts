import type { Json } from '../../contract/schema/schema.ts'
import type { ContractChange, Verdict, WitnessExchange } from '../change.ts'
import { ruleOf } from '../rules.ts'

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
}

/** The facts of a change, beside its rule and its place. */
export interface Facts {
  readonly from?: Json
  readonly to?: Json
  readonly message: string
  readonly field?: string
  /** Default: the verdict of the rule. */
  readonly verdict?: Verdict
  readonly because?: string | undefined
  readonly witness?: WitnessExchange | undefined
  readonly probe?: Probe | undefined
}

/** Makes a change by a rule at a place. */
export function found(rule: string, at: string, facts: Facts): FoundChange {
  const { from = null, to = null, message, field, because, witness, probe } = facts
  const verdict = facts.verdict ?? ruleOf(rule)?.verdict ?? 'depends'
  return {
    rule,
    at,
    from,
    to,
    verdict,
    message,
    ...(field !== undefined && { field }),
    ...(because !== undefined && { because }),
    ...(witness !== undefined && { witness }),
    ...(probe !== undefined && { probe }),
  }
}

/** Returns a change for users. */
export function withoutProbe({ probe: _, ...change }: FoundChange): ContractChange {
  return change
}
