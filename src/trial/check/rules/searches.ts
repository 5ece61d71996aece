import { compareBy, compareValues } from '../../../contract/values/order.ts'
import { matching } from '../../../contract/values/search.ts'
import { maxSearchLength, maxSortFields } from '../../../convention/limits.ts'
import { fieldOf } from '../../../convention/value.ts'
import { type CheckedCollection, readAll } from '../collection.ts'
import { search, twoWords, wordsIn, wordThatFinds } from '../filtered.ts'
import { type CheckResponse, expect, fail, idTextsOf, type ServerItem, skip } from '../message.ts'
import { absentName } from '../path.ts'
import { counts, defineRules, gives, type UnnamedRule } from '../rule.ts'

/** Rules about `sort`. */
export const sortRules = defineRules(['items'], {
  'sort-unknown-field': {
    text: 'An unknown field in "sort" gives 400, with the allowed ones.',
    send: [`{list}?sort=${absentName}`, `{list}/first?sort=${absentName}`],
    expect: 'sort_unknown_field',
    lists: 'allowed',
  },
  'sort-empty-item': {
    text: 'An empty field in "sort" gives 400.',
    needs: ['sort'],
    send: ['{field},', ',{field}', '-', ','].map((sort) => `{list}?sort=${sort}`),
    expect: 'sort_invalid',
  },
  'sort-duplicate': {
    text: 'A repeated field in "sort" gives 400.',
    needs: ['sort'],
    send: ['{list}?sort={field},{field}', '{list}?sort={field},-{field}'],
    expect: 'sort_duplicate_field',
  },
  'sort-too-many': {
    text: `More than ${maxSortFields} fields in "sort" give 400.`,
    needs: ['sort'],
    send: [`{list}?sort=${Array(maxSortFields + 1).fill('{field}')}`],
    // The server may report the number or the repetition.
    expect: ['sort_invalid', 'sort_duplicate_field'],
  },
  'sort-empty': {
    text: 'The server ignores an empty "sort".',
    async run({ send, path, items }) {
      const listed = expect.items(await send('GET', `${path}?sort=`))
      if (listed.length > items.length) skip('The collection has changed during the check.')
    },
  },
  'sort-repeated': {
    text: 'A repeated "sort" is one list: "sort=a&sort=" and "sort=&sort=a" are "sort=a".',
    needs: ['sort'],
    async send({ send, path, sortable: [field = ''] }) {
      const sort = `sort=${encodeURIComponent(field)}`
      const { items } = await readAll(send, `${path}?${sort}`)
      return [`${sort}&sort=`, `sort=&${sort}`].map((query) => gives(`{list}?${query}`, items))
    },
  },
  'sort-id': {
    text: 'Every list sorts by "id": "-id" is the reverse of "id".',
    needs: ['several'],
    async send({ send, path, items, offers }) {
      // An older server sorts only by the fields that it names.
      if (offers.filters.length === 0 && (await send('GET', `${path}?sort=id`)).status === 400)
        skip('The server does not sort by "id".')
      return [gives('{list}?sort=id', items), gives('{list}?sort=-id', items.toReversed())]
    },
  },
  'sort-ascending': orderRule('A field sorts ascending.', 'ascending'),
  'sort-descending': orderRule('A field with "-" sorts descending.', 'descending'),
  'sort-missing': orderRule('Missing values come last ascending and first descending.', 'missing'),
  'sort-text': orderRule('Text is in the order of Unicode code points.', 'text'),
  'sort-ties': orderRule('Ties are in ascending order of ids.', 'ties'),
  'sort-several': {
    text: 'Items that are equal in one field are in the order of the next field.',
    needs: ['several', 'sort'],
    async run(collection) {
      const { sortable } = collection
      if (sortable.length < 2) skip('The check found only one field to sort by.')
      for (const [index, field] of sortable.entries()) {
        const next = sortable[(index + 1) % sortable.length]
        if (next === undefined) continue
        const { items, first } = await sorted(collection, `${field},-${next}`)
        const wrong = pairsOf(items).find(
          (pair) => compare(pair, field) === 0 && compare(pair, next) < 0,
        )
        if (wrong) failOrder(first, wrong, next)
      }
    },
  },
})

type Aspect = 'ascending' | 'descending' | 'missing' | 'text' | 'ties'
type Direction = 'asc' | 'desc'

function orderRule(text: string, aspect: Aspect): UnnamedRule {
  return {
    text,
    needs: ['several', 'sort'],
    async run(collection) {
      let isTried = false
      for (const field of collection.sortable) {
        for (const direction of ['asc', 'desc'] as const) {
          const sort = direction === 'asc' ? field : `-${field}`
          const { items, first } = await sorted(collection, sort)
          for (const pair of pairsOf(items)) {
            if (aspectOf(pair, field, direction) !== aspect) continue
            isTried = true
            if (isWrong(pair, field, direction)) failOrder(first, pair, field)
          }
        }
      }
      if (!isTried) skip('No two items show it.')
    },
  }
}

function sorted({ send, path }: CheckedCollection, sort: string): ReturnType<typeof readAll> {
  return readAll(send, `${path}?sort=${sort.split(',').map(encodeURIComponent).join()}`)
}

// Two neighbours of a list.
type Pair = readonly [ServerItem, ServerItem]

function pairsOf(items: readonly ServerItem[]): readonly Pair[] {
  return items.slice(1).map((after, index) => [items[index] as ServerItem, after])
}

// The check does not know whether a field is text or a moment. If both readings differ, it returns
// NaN: the server may be right.
function compare([before, after]: Pair, field: string): number {
  const by = { field, direction: 'asc' } as const
  const [byText = 0, byMoment] = [by, { ...by, type: 'date-time' } as const].map((reading) =>
    Math.sign(compareBy([reading])(before, after)),
  )
  return byText === byMoment ? byText : Number.NaN
}

// Returns the rule that decides the order of two neighbours; `undefined` for none.
function aspectOf(pair: Pair, field: string, direction: Direction): Aspect | undefined {
  const order = compare(pair, field)
  if (Number.isNaN(order)) return undefined
  if (order === 0) return 'ties'
  const [before, after] = pair.map((item) => fieldOf(item, field) ?? undefined)
  if (before === undefined || after === undefined) return 'missing'
  const isText = typeof before === 'string' && typeof after === 'string'
  if (isText && isDisputed(before, after)) return 'text'
  return direction === 'asc' ? 'ascending' : 'descending'
}

// Tells texts that other orders of text would put the other way round.
function isDisputed(before: string, after: string): boolean {
  const order = Math.sign(compareValues(before, after))
  return [
    before.localeCompare(after),
    compareUnits(before, after),
    compareUnits(before.toLowerCase(), after.toLowerCase()),
  ].some((usual) => Math.sign(usual) !== order)
}

function compareUnits(before: string, after: string): number {
  return before < after ? -1 : Number(before > after)
}

function isWrong(pair: Pair, field: string, direction: Direction): boolean {
  const order = compare(pair, field)
  if (order === 0) return compare(pair, 'id') > 0
  return direction === 'asc' ? order > 0 : order < 0
}

function failOrder(list: CheckResponse, [before, after]: Pair, field: string): never {
  const value = (item: ServerItem) =>
    `${JSON.stringify(fieldOf(item, field)) ?? 'no value'} (${item.id})`
  return fail(list, `By "${field}", ${value(after)} comes after ${value(before)}.`)
}

/** Rules about `q`. */
export const searchRules = defineRules(['items', 'search'], {
  'q-finds': {
    text: '"q" finds exactly the items that hold the word.',
    needs: ['some'],
    async run(collection) {
      for (const { word, item } of wordsIn(collection)) {
        const { items, first } = await search(collection, word)
        const isMissing = !items.some(({ id }) => id === item.id)
        if (collection.searchable !== undefined && isMissing)
          fail(first, `It does not find ${item.id}, which holds the word.`)
        const wrong = items.find((listed) => !holds(listed, word))
        if (wrong) fail(first, `It finds ${wrong.id}, which does not hold the word.`)
      }
      expect.ids(await collection.send('GET', `${collection.path}?q=${absentName}`), [])
    },
  },
  'q-ignores-case': {
    text: '"q" ignores case.',
    needs: ['some'],
    async send(collection) {
      const { word, items } = await wordThatFinds(collection)
      return [word.toUpperCase(), word.toLowerCase()].map((spelling) =>
        gives(searchFor(spelling), items),
      )
    },
  },
  'q-every-word': {
    text: 'With several words in "q", an item must hold every word.',
    needs: ['several'],
    async send(collection) {
      const [first, second] = twoWords(collection)
      if (!first || !second) skip('No two items hold different words.')
      const ids = idTextsOf((await search(collection, first.word)).items)
      const { items } = await search(collection, second.word)
      const matches = items.filter(({ id }) => ids.includes(String(id)))
      return [gives(searchFor(`${first.word} ${second.word}`), matches)]
    },
  },
  'q-blank': {
    text: 'The server ignores a blank "q".',
    send: ({ items }) => ['', '%20', '+'].map((q) => gives(`{list}?q=${q}`, items)),
  },
  'q-literal': {
    text: 'In "q" the characters % _ * and quotes are plain text.',
    needs: ['some'],
    async run(collection) {
      for (const character of ['%', '_', '*', "'", '"', '.']) {
        const { items, first } = await search(collection, character)
        const wrong = items.find((item) => !holds(item, character))
        if (wrong) fail(first, `It finds ${wrong.id}, which does not hold "${character}".`)
      }
    },
  },
  'q-bounds': {
    text: `A "q" over ${maxSearchLength} characters, or with a control character, gives 400.`,
    send: [
      `{list}?q=${'a'.repeat(maxSearchLength + 1)}`,
      '{list}?q=%07',
      { request: `{list}?q=${'a'.repeat(maxSearchLength)}`, expect: 200 },
    ],
    expect: 'bad_parameter',
  },
  'q-plus': {
    text: 'In a query "+" is a space.',
    needs: ['several'],
    async send(collection) {
      const [one, other = one] = twoWords(collection)
      if (!one || !other) skip('No item holds a word.')
      const [first, second] = [one.word, other.word].map(encodeURIComponent)
      const spaced = await search(collection, `${one.word} ${other.word}`)
      const single = await search(collection, one.word)
      return [
        gives(`{list}?q=${first}+${second}`, spaced.items),
        gives(`{list}?q=${first}+`, single.items),
      ]
    },
  },
  'q-everywhere': {
    text: '"q" also applies to "first", "last" and "count".',
    needs: ['some'],
    async send(collection) {
      const { word, items } = await wordThatFinds(collection)
      const query = `q=${encodeURIComponent(word)}`
      return [
        counts(`{list}/count?${query}`, items.length),
        gives(`{list}/first?${query}`, items[0]),
        gives(`{list}/last?${query}`, items.at(-1)),
      ]
    },
  },
})

function searchFor(text: string): string {
  return `{list}?q=${encodeURIComponent(text)}`
}

// The check does not always know the searched fields, so any text of the item counts.
function holds(item: ServerItem, word: string): boolean {
  return matching([word], ['all'])({ all: textIn(item) })
}

function textIn(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).map(textIn).join('\n')
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
