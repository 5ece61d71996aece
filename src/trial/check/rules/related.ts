import { filterPathOf } from '../../../contract/schema/filter.ts'
import { compareValues, foldCase } from '../../../contract/values/order.ts'
import { valueReaderOf } from '../../../contract/values/search.ts'
import type { FilterOperator, FilterValue } from '../../../convention/filter-operators.ts'
import { maxRelatedFields } from '../../../convention/limits.ts'
import { reservedWords } from '../../../convention/operations.ts'
import { fieldOf, isRecord } from '../../../convention/value.ts'
import { formatQuery } from '../../../wire/query.ts'
import { type CheckedCollection, readAll, readFrom } from '../collection.ts'
import {
  type CheckResponse,
  codeOf,
  expect,
  fail,
  idTextOf,
  idTextsOf,
  memberOf,
  type ServerItem,
  skip,
} from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'

/** Rules about filters by the fields of related items. */
export const relatedRules = defineRules(['items', 'related', 'some'], {
  'related-equal': {
    text: '"r.f=v" gives exactly the items whose related item has the value.',
    run: (collection) => expectMatching(collection, ['eq']),
  },
  'related-unequal': {
    text: '"r.f:ne=v" and "r.f:null=true" give no item without a related item.',
    run: (collection) => expectMatching(collection, ['ne', 'null']),
  },
  'related-part': {
    text: '"r.f:contains" and its like find a part of a text in a field of the related item.',
    run: (collection) => expectMatching(collection, ['contains', 'startsWith', 'endsWith']),
  },
  'related-everywhere': {
    text: 'Filters by related items also apply to pages, "first", "last" and "count".',
    async run(collection) {
      const { send, path } = collection
      for (const query of await queriesOf(collection)) {
        const { items, first } = await readMatching(collection, query)
        const { items: joined } = await readAll(send, `${path}?${query}&limit=1`)
        expect.ids(first, idTextsOf(items), joined)
        for (const word of reservedWords) {
          const response = await send('GET', `${path}/${word}?${query}`)
          expectWord(response, word, items)
        }
      }
    },
  },
  'related-order': {
    text: '"sort=r.f" sorts by the values of related items; missing ones are last, with "-" first.',
    run: expectOrders,
  },
  'related-unknown': {
    text: 'A filter by an unknown field of a related item, and by its id, gives 400.',
    send: ({ offers: { related } }) =>
      related.slice(0, 1).flatMap(({ name, field }) => {
        const member = name.slice(0, name.lastIndexOf(`.${field}`))
        return [`${member}.${absentName}`, `${member}.id`, `${absentName}.${field}`]
          .filter((text) => related.every((filter) => filter.name !== text))
          .map((text) => `{list}?${encodeURIComponent(text)}=1`)
      }),
    expect: 'unknown_parameter',
  },
  'related-bounds': {
    text: `Over ${maxRelatedFields} filters by related items give 400.`,
    send({ offers: { related } }) {
      const texts = related.filter(({ operator }) => textual.has(operator))
      const chosen = texts.slice(0, maxRelatedFields + 1)
      if (chosen.length <= maxRelatedFields) skip('OPTIONS names too few of these filters.')
      return [`{list}?${formatQuery({ where: chosen.map(({ name }) => [name, 'a']) })}`]
    },
    expect: 'bad_parameter',
  },
})

const textual: ReadonlySet<FilterOperator> = new Set(['contains', 'startsWith', 'endsWith'])

/** Items of a list with what one of their references names. */
interface Relation {
  readonly filter: CheckedCollection['offers']['related'][number]
  readonly pairs: readonly (readonly [item: ServerItem, other: Readonly<object> | undefined])[]
}

const maxFilters = 12

// Reads the related items by "include".
async function relationsOf(
  { offers, path, send, maxLimit }: CheckedCollection,
  operators: readonly FilterOperator[],
): Promise<readonly Relation[]> {
  const filters = offers.related.filter(({ operator }) => operators.includes(operator))
  const members = new Set(filters.flatMap(({ reference: { include } }) => include ?? []))
  if (members.size === 0) skip('OPTIONS names no such filter of an item to include.')
  const relations: Relation[] = []
  for (const member of members) {
    const query = `include=${encodeURIComponent(member)}&limit=${maxLimit}`
    const { items } = await readAll(send, `${path}?${query}`)
    const pairs = items.map((item) => {
      const other = item[member]
      return [item, isRecord(other) ? other : undefined] as const
    })
    for (const filter of filters)
      if (filter.reference.include === member) relations.push({ filter, pairs })
  }
  return relations.slice(0, maxFilters)
}

async function expectMatching(
  collection: CheckedCollection,
  operators: readonly FilterOperator[],
): Promise<void> {
  let isTried = false
  for (const relation of await relationsOf(collection, operators)) {
    for (const value of valuesFor(relation)) {
      const query = formatQuery({ where: [[relation.filter.name, `${value}`]] })
      const { items, first } = await readMatching(collection, query)
      const matching = relation.pairs.filter(([, other]) => other && meets(other, relation, value))
      expect.ids(first, idTextsOf(matching.map(([item]) => item)), items)
      isTried = true
    }
  }
  if (!isTried) skip('No related item has a value to filter by.')
}

const maxValues = 3
const maxLength = 100

// Texts of a related item, each once, and one that no item has.
function valuesFor({ filter: { field, operator }, pairs }: Relation): readonly FilterValue[] {
  // Only some callers may see the field.
  const { field: shown } = filterPathOf(field)
  const isShown = pairs.some(([, other]) => other !== undefined && Object.hasOwn(other, shown))
  if (operator === 'null') return isShown ? [true, false] : []
  const read = valueReaderOf(field)
  const values = new Set(pairs.map(([, other]) => other && read(other)))
  const texts = [...values].filter((value) => typeof value === 'string')
  const known = texts.filter(
    (text) => text !== '' && text.length <= maxLength && text.isWellFormed(),
  )
  const sent = known.slice(0, maxValues).map((text) => partOf(text, operator))
  return known.length === 0 ? [] : [...sent, absentName]
}

// In another case, unless folding keeps both apart.
function partOf(text: string, operator: FilterOperator): string {
  if (!textual.has(operator)) return text
  const characters = [...text]
  const part = (operator === 'endsWith' ? characters.slice(-3) : characters.slice(0, 3)).join('')
  const upper = part.toUpperCase()
  return foldCase(upper) === foldCase(part) ? upper : part
}

function meets(
  other: Readonly<object>,
  { filter: { field, operator } }: Relation,
  value: FilterValue,
): boolean {
  const stored = valueReaderOf(field)(other)
  if (operator === 'null') return (stored === null) === value
  if (operator === 'ne') return stored !== value
  if (operator === 'eq') return stored === value
  if (typeof stored !== 'string') return false
  const [text, part] = [foldCase(stored), foldCase(`${value}`)]
  if (operator === 'startsWith') return text.startsWith(part)
  return operator === 'endsWith' ? text.endsWith(part) : text.includes(part)
}

const maxOrders = 4

// Reads the related items by "include". Tells nothing about neighbours with equal values.
async function expectOrders(collection: CheckedCollection): Promise<void> {
  const { offers, send, path, maxLimit } = collection
  const orders = offers.references.flatMap(({ include, sortable, restricted }) => {
    if (include === undefined) return []
    const fields = sortable.filter((field) => !restricted.includes(field))
    return fields.slice(0, maxOrders).map((field) => ({ include, field }))
  })
  let isTried = false
  for (const { include, field } of orders) {
    for (const sign of ['', '-']) {
      const sort = encodeURIComponent(`${sign}${include}.${field}`)
      const query = `sort=${sort}&include=${encodeURIComponent(include)}&limit=${maxLimit}`
      const { items, first } = await readAll(send, `${path}?${query}`)
      const values = items.map((item) => {
        const other = item[include]
        return isRecord(other) ? (fieldOf(other, field) ?? undefined) : undefined
      })
      for (const [index, after] of values.slice(1).entries()) {
        const order = orderOf(values[index], after)
        isTried ||= order !== 0
        if (sign === '' ? order > 0 : order < 0)
          fail(first, `${items[index]?.id} comes before ${items[index + 1]?.id}.`)
      }
    }
  }
  if (!isTried) skip('No two related items show an order.')
}

// The order of two values; 0 too where case or the form of a moment may decide.
function orderOf(before: unknown, after: unknown): number {
  const order = Math.sign(compareValues(before, after))
  if (typeof before !== 'string' || typeof after !== 'string') return order
  if ([before, after].some((text) => /^\d{4}-\d\d-\d\dT/.test(text))) return 0
  return Math.sign(compareValues(foldCase(before), foldCase(after))) === order ? order : 0
}

async function queriesOf(collection: CheckedCollection): Promise<readonly string[]> {
  const relations = await relationsOf(collection, ['eq'])
  const queries = relations.flatMap((relation) =>
    valuesFor(relation).map((value) =>
      formatQuery({ where: [[relation.filter.name, `${value}`]] }),
    ),
  )
  return queries.length > 0 ? queries.slice(0, maxFilters) : skip('No related item has a value.')
}

// Skips the rule where more related items match than a server reads.
async function readMatching({ send, path }: CheckedCollection, query: string) {
  const first = await send('GET', `${path}?${query}`)
  if (codeOf(first.json) === 'bad_parameter') skip('Too many related items match.')
  return readFrom(first, send)
}

function expectWord(
  response: CheckResponse,
  word: (typeof reservedWords)[number],
  items: readonly ServerItem[],
): void {
  if (word === 'count') {
    expect.status(response, 200)
    const count = memberOf(response.json, 'count')
    if (count !== items.length) fail(response, `The count is ${count}, not ${items.length}.`)
    return
  }
  const item = word === 'first' ? items[0] : items.at(-1)
  if (item === undefined) expect.problem(response, 'empty_collection')
  else if (expect.item(response).id !== item.id)
    fail(response, `The item is ${idTextOf(response.json)}, not ${item.id}.`)
}
