import { pluralNounOf } from '../convention/noun.ts'
import { type Id, type Ids, idOfText, storedId } from './ids.ts'
import type { RawItem } from './text.ts'

/** A field whose values are ids of another collection, or of its own. */
export interface Relation {
  readonly field: string
  /** The noun of the collection that it refers to. */
  readonly to: string
  /** The member with the item, for `include`. */
  readonly as: string
  /** The type of the values in the file, where it is not the one of the ids. */
  readonly written: 'string' | 'number' | undefined
  /** The number of values that are the id of no item. */
  readonly dangling: number
}

/** A collection that fields may refer to. */
export interface RelationTarget {
  readonly noun: string
  readonly ids: Pick<Ids, 'kind' | 'byKey'>
}

/**
 * Finds the fields that refer to collections: `postId`, `post_id` or `postID` to `posts`, where at
 * least one value is an id there. The noun may be the plural of the stem, its plural by `s`, or the
 * stem itself.
 */
export function relationsOf(
  items: readonly RawItem[],
  targets: readonly RelationTarget[],
): readonly Relation[] {
  const fields = new Set<string>()
  for (const item of items) for (const field of Object.keys(item)) fields.add(field)
  const relations: Relation[] = []
  for (const field of fields) {
    const stem = /^([A-Za-z_]\w*?)(?:_id|Id|ID)$/.exec(field)?.[1]
    const target = stem === undefined ? undefined : targetOf(stem, targets)
    if (stem === undefined || target === undefined) continue
    const members = new Set([...fields, ...relations.map(({ as }) => as)])
    const as = [stem, `${stem}_item`].find((name) => !members.has(name))
    const values = valuesOf(items, field)
    const dangling = values.filter((value) => storedId(target.ids, value) === undefined).length
    if (as === undefined || dangling === values.length) continue
    relations.push({ field, to: target.noun, as, written: writtenAs(values, target), dangling })
  }
  return relations
}

function targetOf(stem: string, targets: readonly RelationTarget[]): RelationTarget | undefined {
  const nouns = [pluralNounOf(stem), `${stem}s`, stem].map(plain)
  return nouns
    .map((noun) => targets.find((target) => plain(target.noun) === noun))
    .find((target) => target !== undefined)
}

// `blogPosts`, `blog_posts` and `blog-posts` are one noun.
function plain(noun: string): string {
  return noun.replace(/[-_]/g, '').toLowerCase()
}

function valuesOf(items: readonly RawItem[], field: string): readonly Id[] {
  return items
    .map((item) => item[field])
    .filter((value) => typeof value === 'string' || typeof value === 'number')
}

function writtenAs(values: readonly Id[], { ids }: RelationTarget): Relation['written'] {
  const isOther = values.some((value) => (storedId(ids, value) ?? value) !== value)
  const [first] = values
  if (!isOther) return undefined
  return typeof first === 'number' ? 'number' : 'string'
}

/** Reads a value of a relation as the id that it names; any other value stays as it is. */
export function referenceIn(value: unknown, { ids }: RelationTarget): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  return idOfText(ids, String(value)) ?? value
}

/** Writes a value of a relation as the file has it. The inverse of {@link referenceIn}. */
export function writtenReference(value: unknown, { written }: Relation): unknown {
  if (written === 'string' && typeof value === 'number') return String(value)
  const isNumber = typeof value === 'string' && String(Number(value)) === value
  return written === 'number' && isNumber ? Number(value) : value
}
