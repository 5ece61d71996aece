import type { Json } from '../contract/schema/schema.ts'
import type { JsonObject } from '../sets/canonical.ts'

/**
 * The effect of a change on clients: `breaking` refuses a request that was fine, or sends what the
 * old contract excluded; `depends` may do so; `fine` does not.
 */
export type Verdict = 'breaking' | 'depends' | 'fine'

/** A change of a schema: at one place of a body or an item. */
export interface SchemaChange {
  /** The row of the rules, without `request-` or `item-`: `max-length-lowered`. */
  readonly rule: string
  /** A JSON Pointer into the schema's values: `/address/city`; `/tags/-` for any element. */
  readonly at: string
  /** The value of the keyword, or a short text that says what was there; `null` for none. */
  readonly from: Json
  readonly to: Json
  readonly verdict: Verdict
  /** A whole body or item that shows the break; `undefined` for none. */
  readonly witness?: Witness
  /** Says why the verdict is not the one of the row. */
  readonly because?: string
}

/** A value that was fine and is not fine now, in a box: the value may be `null`. */
export interface Witness {
  readonly value: Json
}

/** Two JSON Schemas of the same body, or of the same item. */
export interface SchemaPair {
  readonly old: JsonObject
  readonly new: JsonObject
  /** `request`: old clients send it, so the old must be within the new. `item`: the reverse. */
  readonly side: 'request' | 'item'
}

/** A rule for each way in which a facet of a schema can change. */
export interface FacetRules {
  /** Fewer values are in. */
  readonly narrowed: string
  /** More values are in. */
  readonly widened: string
  /** Others are in. */
  readonly changed: string
}

/**
 * Returns the usual verdict of a change. A body that was fine is refused where the values become
 * fewer; an answer surprises where they become more.
 *
 * @param doubt The verdict of an answer with more values. Default: `breaking`.
 */
export function verdictOf(
  side: SchemaPair['side'],
  way: keyof FacetRules,
  doubt: Verdict = 'breaking',
): Verdict {
  if (way === (side === 'request' ? 'widened' : 'narrowed')) return 'fine'
  return side === 'item' ? doubt : 'breaking'
}

/** Returns the rule of a break that no finer rule names. */
export function plainBreak(side: SchemaPair['side']): 'narrowed' | 'widened' {
  return side === 'request' ? 'narrowed' : 'widened'
}
