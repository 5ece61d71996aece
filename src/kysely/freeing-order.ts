import { foldCase } from '../contract/values/order.ts'
import { fieldOf } from '../convention/value.ts'
import { type BoundField, inStoredForm } from './fields.ts'
import { toMicroseconds } from './sql/bound.ts'
import type { ItemReplacement, Table, Violation } from './table.ts'

/** An order of writes, and the unique fields whose values the items exchange in a circle. */
interface FreeingOrder {
  /** The same list if any order will do. */
  readonly ordered: readonly ItemReplacement[]
  readonly exchanges: readonly Violation[]
}

/**
 * Orders the writes of a bulk, so that an item gives up a unique value before another one takes it:
 * a topological sort (Kahn). No order serves items that exchange values in a circle. The database
 * may take these too, if it checks the key at the end of the transaction.
 */
export function freeingOrder(table: Table, replacements: readonly ItemReplacement[]): FreeingOrder {
  const keys = uniqueKeysOf(table)
  if (keys.length === 0 || replacements.length < 2) return { ordered: replacements, exchanges: [] }
  // A collation may ignore the case, accents, and spaces at the end. If it ignores none of them, an
  // exchange in the folded texts alone is none.
  const waits = waitsOf(table, { replacements, keys, textOf: foldedText })
  if (waits.length === 0) return { ordered: replacements, exchanges: [] }
  const folded = sortedBy(waits, replacements)
  if (folded.exchanges.length === 0) return folded
  const exact = sortedBy(waitsOf(table, { replacements, keys, textOf: exactText }), replacements)
  return { ordered: exact.ordered, exchanges: folded.exchanges }
}

type UniqueKey = readonly BoundField[]

const uniqueKeys = new WeakMap<Table, readonly UniqueKey[]>()

// An update never changes an id, so a key with the id never conflicts.
function uniqueKeysOf(table: Table): readonly UniqueKey[] {
  const cached = uniqueKeys.get(table)
  if (cached) return cached
  const { described, fields, field } = table
  const id = field.get('id')?.column ?? ''
  const keys = [...described.keys.values(), ...described.partialKeys]
    .filter((columns) => !columns.includes(id))
    .map((columns) => fields.filter(({ column }) => columns.includes(column)))
    .filter((key) => key.length > 0)
  uniqueKeys.set(table, keys)
  return keys
}

/** A write that takes a value which another one gives up. */
interface Wait {
  /** Indexes of replacements. */
  readonly taker: number
  readonly giver: number
  readonly key: UniqueKey
}

type TextOf = (table: Table, field: BoundField, value: unknown) => string

interface Waiting {
  readonly replacements: readonly ItemReplacement[]
  readonly keys: readonly UniqueKey[]
  readonly textOf: TextOf
}

function waitsOf(table: Table, { replacements, keys, textOf }: Waiting): readonly Wait[] {
  return keys.flatMap((key) => {
    const before = replacements.map(({ stored }) => keyTextOf(table, { key, textOf }, stored))
    const givers = new Map(before.map((text, index) => [text, index]))
    return replacements.flatMap(({ item }, taker): readonly Wait[] => {
      const text = keyTextOf(table, { key, textOf }, item)
      const giver = givers.get(text)
      if (text === undefined || giver === undefined || text === before[taker]) return []
      return [{ taker, giver, key }]
    })
  })
}

// A missing value conflicts with nothing.
function keyTextOf(
  table: Table,
  { key, textOf }: { readonly key: UniqueKey; readonly textOf: TextOf },
  item: object,
): string | undefined {
  const texts: string[] = []
  for (const field of key) {
    const value = inStoredForm(field, fieldOf(item, field.name))
    if (value === undefined || value === null) return undefined
    texts.push(textOf(table, field, value))
  }
  return JSON.stringify(texts)
}

function exactText({ engine }: Table, { stored, type }: BoundField, value: unknown): string {
  if (type === 'json') return JSON.stringify(value)
  const text = `${value}`
  if (stored.kind === 'timestamp') return toMicroseconds(text) ?? text
  return stored.kind === 'digits' ? (engine.digits(stored, text) ?? text) : text
}

function foldedText(table: Table, field: BoundField, value: unknown): string {
  const text = exactText(table, field, value).normalize('NFD').replace(/\p{M}/gu, '')
  return foldCase(text).trimEnd()
}

function sortedBy(waits: readonly Wait[], replacements: readonly ItemReplacement[]): FreeingOrder {
  const ready = peeled(waits, replacements.length, ({ taker, giver }) => [taker, giver])
  const isReady = new Set(ready)
  const stuck = replacements.flatMap((_, index) => (isReady.has(index) ? [] : index))
  const ordered = [...ready, ...stuck].map((index) => replacements[index] as ItemReplacement)
  if (stuck.length === 0) return { ordered, exchanges: [] }
  // Some items only wait for those in a circle.
  const among = waits.filter(({ taker, giver }) => !isReady.has(taker) && !isReady.has(giver))
  const free = new Set(peeled(among, replacements.length, ({ taker, giver }) => [giver, taker]))
  const exchanges = among
    .filter(({ taker }) => !free.has(taker))
    .flatMap(({ taker, key }) =>
      key.map(({ name }) => ({ place: replacements[taker]?.place ?? taker, field: name })),
    )
  return { ordered, exchanges }
}

// Returns the indexes that wait for no other, or only for those before them.
function peeled(
  waits: readonly Wait[],
  count: number,
  endsOf: (wait: Wait) => readonly [waiting: number, before: number],
): readonly number[] {
  const open = Array.from({ length: count }, () => 0)
  const followers = new Map<number, number[]>()
  for (const wait of waits) {
    const [waiting, before] = endsOf(wait)
    open[waiting] = (open[waiting] ?? 0) + 1
    followers.set(before, [...(followers.get(before) ?? []), waiting])
  }
  const free = open.flatMap((waits, index) => (waits === 0 ? index : []))
  // The list grows while it is read.
  for (const index of free) {
    for (const follower of followers.get(index) ?? []) {
      const remaining = (open[follower] ?? 0) - 1
      open[follower] = remaining
      if (remaining === 0) free.push(follower)
    }
  }
  return free
}
