import { compareValues } from '../../../contract/values/order.ts'
import { maxSearchLength, maxSortFields } from '../../../convention/limits.ts'
import { reservedWords } from '../../../convention/operations.ts'
import { fieldOf } from '../../../convention/value.ts'
import { readAll } from '../collection.ts'
import { sortOrdersOf, wordPairsIn, wordsIn } from '../filtered.ts'
import { fail, idTextsOf, isItems, type ServerItem, skip } from '../message.ts'
import { absentName } from '../path.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

/** Rules about `sort`. */
export const sortRules = defineRules(['items'], {
  'sort-unknown-field': {
    text: 'An unknown field in "sort" gives 400, with the allowed ones.',
    send: [`{list}?sort=${absentName}`, `{list}/first?sort=${absentName}`],
  },
  'sort-empty-item': {
    text: 'An empty field in "sort" gives 400.',
    needs: ['sort'],
    send: ['{field},', ',{field}', '-', ','].map((sort) => `{list}?sort=${sort}`),
  },
  'sort-duplicate': {
    text: 'A repeated field in "sort" gives 400.',
    needs: ['sort'],
    send: ['{list}?sort={field},{field}', '{list}?sort={field},-{field}'],
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
    send: ['{list}?sort='],
  },
  'sort-repeated': {
    text: 'A repeated "sort" is one list: "sort=a&sort=" and "sort=&sort=a" are "sort=a".',
    needs: ['sort'],
    send: ['{list}?sort={field}&sort=', '{list}?sort=&sort={field}'],
  },
  'sort-id': {
    text: 'Every list sorts by "id": "-id" is the reverse of "id".',
    needs: ['several'],
    async send({ send, path, offers }) {
      // An older server sorts only by the fields that it names.
      if (offers.filters.length === 0 && (await send('GET', `${path}?sort=id`)).status === 400)
        skip('The server does not sort by "id".')
      return ['{list}?sort=id', '{list}?sort=-id']
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
    send: ({ sortable }) =>
      sortable.slice(0, sortable.length > 1 ? undefined : 0).map((field, index) => {
        const next = sortable[(index + 1) % sortable.length] ?? ''
        return `{list}?sort=${encodeURIComponent(field)},-${encodeURIComponent(next)}`
      }),
    none: 'The check found only one field to sort by.',
  },
})

type Aspect = 'ascending' | 'descending' | 'missing' | 'text' | 'ties'

// Judges the neighbours in the order of the reference that show an aspect.
function orderRule(text: string, aspect: Aspect): UnnamedRule {
  return {
    text,
    needs: ['several', 'sort'],
    async run(collection) {
      let isTried = false
      for (const order of sortOrdersOf(collection)) {
        const { items, first } = await readAll(collection.send, `${collection.path}?${order}`)
        const ids = idTextsOf(items)
        const { body } = await collection.reference.answer(first.request)
        for (const [before, after] of isItems(body) ? pairsOf(body) : []) {
          if (aspectOf([before, after], order) !== aspect) continue
          isTried = true
          if (ids.indexOf(String(after.id)) < ids.indexOf(String(before.id)))
            fail(first, `${after.id} comes before ${before.id}.`)
        }
      }
      if (!isTried) skip('No two items show it.')
    },
  }
}

// Two neighbours of a list.
type Pair = readonly [ServerItem, ServerItem]

function pairsOf(items: readonly ServerItem[]): readonly Pair[] {
  return items.slice(1).map((after, index) => [items[index] as ServerItem, after])
}

// Returns the rule that decides the order of two neighbours.
function aspectOf(pair: Pair, order: string): Aspect {
  const [, sign = '', name = ''] = /^sort=(-?)(.*)$/.exec(order) ?? []
  const [before, after] = pair.map((item) => fieldOf(item, decodeURIComponent(name)) ?? undefined)
  if (compareValues(before, after) === 0) return 'ties'
  if (before === undefined || after === undefined) return 'missing'
  const isText = typeof before === 'string' && typeof after === 'string'
  if (isText && isDisputed(before, after)) return 'text'
  return sign === '' ? 'ascending' : 'descending'
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

const noPair = 'No two items hold different words.'

/** Rules about `q`. */
export const searchRules = defineRules(['items', 'search'], {
  'q-finds': {
    text: '"q" finds exactly the items that hold the word.',
    needs: ['some'],
    send: (collection) => [
      ...wordsIn(collection).map(({ word }) => searchFor(word)),
      searchFor(absentName),
    ],
  },
  'q-ignores-case': {
    text: '"q" ignores case.',
    needs: ['some'],
    send: (collection) =>
      wordsIn(collection).flatMap(({ word }) => [
        searchFor(word.toUpperCase()),
        searchFor(word.toLowerCase()),
      ]),
  },
  'q-every-word': {
    text: 'With several words in "q", an item must hold every word.',
    needs: ['several'],
    send: (collection) =>
      wordPairsIn(collection).map(([first, second]) => searchFor(`${first.word} ${second.word}`)),
    none: noPair,
  },
  'q-blank': {
    text: 'The server ignores a blank "q".',
    send: ['', '%20', '+'].map((q) => `{list}?q=${q}`),
  },
  'q-literal': {
    text: 'In "q" the characters % _ * and quotes are plain text.',
    needs: ['some'],
    send: ['%', '_', '*', "'", '"', '.'].map(searchFor),
  },
  'q-bounds': {
    text: `A "q" over ${maxSearchLength} characters, or with a control character, gives 400.`,
    send: [
      searchFor('a'.repeat(maxSearchLength + 1)),
      '{list}?q=%07',
      searchFor('a'.repeat(maxSearchLength)),
    ],
  },
  'q-plus': {
    text: 'In a query "+" is a space.',
    needs: ['several'],
    send: (collection) =>
      wordPairsIn(collection).flatMap((words) => {
        const [first = '', second = ''] = words.map(({ word }) => encodeURIComponent(word))
        return [`{list}?q=${first}+${second}`, `{list}?q=${first}+`]
      }),
    none: noPair,
  },
  'q-everywhere': {
    text: '"q" also applies to "first", "last" and "count".',
    needs: ['some'],
    send: (collection) =>
      wordsIn(collection).flatMap(({ word }) =>
        reservedWords.map((name) => `{list}/${name}?q=${encodeURIComponent(word)}`),
      ),
  },
})

function searchFor(text: string): string {
  return `{list}?q=${encodeURIComponent(text)}`
}
