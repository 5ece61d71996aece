import { foldCase, matching } from '../../../contract/values/search.ts'
import { maxSearchLength } from '../../../convention/limits.ts'
import { type CheckedCollection, readAll } from '../collection.ts'
import {
  expectBody,
  expectIds,
  expectItems,
  expectStatus,
  fail,
  idTextsOf,
  type ServerItem,
  skip,
} from '../expect.ts'
import { absentName } from '../path.ts'
import { defineRules } from '../rule.ts'
import { expectCount } from './paths.ts'

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
        const wrong = items.find((found) => !holds(found, word))
        if (wrong) fail(first, `It finds ${wrong.id}, which does not hold the word.`)
      }
      expectIds(await collection.send('GET', `${collection.path}?q=${absentName}`), [])
    },
  },
  'q-ignores-case': {
    text: '"q" ignores case.',
    needs: ['some'],
    async run(collection) {
      const { word, ids } = await wordThatFinds(collection)
      for (const other of [word.toUpperCase(), word.toLowerCase()]) {
        const { items, first } = await search(collection, other)
        expectIds(first, ids, items)
      }
    },
  },
  'q-every-word': {
    text: 'With several words in "q", an item must hold every word.',
    needs: ['several'],
    async run(collection) {
      const [one, other] = twoWords(collection)
      if (!one || !other) skip('No two items hold different words.')
      const ids = idTextsOf((await search(collection, one.word)).items)
      const both = idTextsOf((await search(collection, other.word)).items).filter((id) =>
        ids.includes(id),
      )
      const { items, first } = await search(collection, `${one.word} ${other.word}`)
      expectIds(first, both, items)
    },
  },
  'q-blank': {
    text: 'The server ignores a blank "q".',
    async run({ send, path, items }) {
      for (const q of ['', '%20', '+']) {
        const list = await readAll(send, `${path}?q=${q}`)
        expectIds(list.first, idTextsOf(items), list.items)
      }
    },
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
    async run(collection) {
      const { send, path } = collection
      const [one, other] = twoWords(collection)
      if (!one) skip('No item holds a word.')
      const texts = [one.word, (other ?? one).word].map(encodeURIComponent)
      const spaced = await send('GET', `${path}?q=${texts.join('%20')}`)
      const plus = await send('GET', `${path}?q=${texts.join('+')}`)
      const found = expectItems(plus)
      expectIds(plus, idTextsOf(expectItems(spaced)), found)
      const blank = await readAll(send, `${path}?q=${texts[0]}+`)
      const { items } = await search(collection, one.word)
      expectIds(blank.first, idTextsOf(items), blank.items)
    },
  },
  'q-everywhere': {
    text: '"q" also applies to "first", "last" and "count".',
    needs: ['some'],
    async run(collection) {
      const { send, path } = collection
      const { word } = await wordThatFinds(collection)
      const { items } = await search(collection, word)
      const query = `q=${encodeURIComponent(word)}`
      expectCount(await send('GET', `${path}/count?${query}`), items.length)
      for (const [end, item] of [
        ['first', items[0]],
        ['last', items.at(-1)],
      ] as const) {
        const response = await send('GET', `${path}/${end}?${query}`)
        expectStatus(response, 200)
        expectBody(response, item, `the ${end} item of the search`)
      }
    },
  },
})

interface Word {
  readonly word: string
  readonly item: ServerItem
}

const maxWords = 6

function wordsIn({ items, searchable }: CheckedCollection): readonly Word[] {
  const words = items.flatMap((item) =>
    (searchable ?? Object.keys(item)).flatMap((field) => {
      const value = item[field]
      if (typeof value !== 'string' || field === 'id' || field.endsWith('_id')) return []
      const word = /\p{L}{3,}/u.exec(value)?.[0]
      return word === undefined ? [] : [{ word, item }]
    }),
  )
  return words.slice(0, maxWords)
}

// Different words of different items, as far as there are.
function twoWords(collection: CheckedCollection): readonly [Word | undefined, Word | undefined] {
  const [one, ...others] = wordsIn(collection)
  const other = others.find(
    ({ word, item }) => item !== one?.item && foldCase(word) !== foldCase(one?.word ?? ''),
  )
  return [one, other]
}

/** Returns a word of an item, and the ids that it finds. Skips the rule without one. */
export async function wordThatFinds(
  collection: CheckedCollection,
): Promise<{ readonly word: string; readonly ids: readonly string[] }> {
  for (const { word, item } of wordsIn(collection)) {
    const ids = idTextsOf((await search(collection, word)).items)
    if (ids.includes(String(item.id))) return { word, ids }
  }
  return skip('The search finds no word of the items.')
}

function search({ send, path }: CheckedCollection, text: string): ReturnType<typeof readAll> {
  return readAll(send, `${path}?q=${encodeURIComponent(text)}`)
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
