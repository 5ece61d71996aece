import { maxSearchLength } from '../../model/convention.ts'
import { foldCase, matching } from '../../model/search.ts'
import {
  broken,
  expectIds,
  expectItems,
  expectProblem,
  expectSame,
  expectStatus,
  type Found,
  idsOf,
  unfit,
} from '../expect.ts'
import type { Rule } from '../rule.ts'
import { listAll, type Subject } from '../subject.ts'
import { nothing } from './list.ts'

/** What `q` does. */
export const searchRules: readonly Rule[] = [
  {
    id: 'q-finds',
    words: '"q" finds the items that hold the word, and only those.',
    needs: ['items', 'search', 'some'],
    async run(subject) {
      const words = wordsIn(subject)
      for (const { word, item } of words) {
        const { items, first } = await find(subject, word)
        const missed = subject.searchable !== undefined && !items.some(({ id }) => id === item.id)
        if (missed) broken(first, `It does not find ${item.id}, which holds the word.`)
        const wrong = items.find((found) => !holds(found, word))
        if (wrong) broken(first, `It finds ${wrong.id}, which does not hold the word.`)
      }
      const exchange = await subject.ask('GET', `${subject.path}?q=${nothing}`)
      expectIds(exchange, expectItems(exchange), [])
    },
  },
  {
    id: 'q-ignores-case',
    words: '"q" ignores case.',
    needs: ['items', 'search', 'some'],
    async run(subject) {
      const { word, ids } = await wordThatFinds(subject)
      for (const other of [word.toUpperCase(), word.toLowerCase()]) {
        const exchange = await subject.ask('GET', searchFor(subject, other))
        expectIds(exchange, (await find(subject, other)).items, ids)
      }
    },
  },
  {
    id: 'q-every-word',
    words: 'Of several words in "q", every one is found in an item.',
    needs: ['items', 'search', 'several'],
    async run(subject) {
      const [one, other] = distinct(wordsIn(subject))
      if (!one || !other) unfit('No two items hold different words.')
      const ids = idsOf((await find(subject, one.word)).items)
      const both = idsOf((await find(subject, other.word)).items).filter((id) => ids.includes(id))
      const text = `${one.word} ${other.word}`
      const exchange = await subject.ask('GET', searchFor(subject, text))
      expectIds(exchange, (await find(subject, text)).items, both)
    },
  },
  {
    id: 'q-blank',
    words: 'A blank "q" is none.',
    needs: ['items', 'search'],
    async run(subject) {
      for (const q of ['', '%20', '+']) {
        const exchange = await subject.ask('GET', `${subject.path}?q=${q}`)
        const { items } = await listAll(subject.ask, `${subject.path}?q=${q}`)
        expectIds(exchange, items, idsOf(subject.items))
      }
    },
  },
  {
    id: 'q-literal',
    words: 'In "q" the characters % _ * and quotes are plain text.',
    needs: ['items', 'search', 'some'],
    async run(subject) {
      for (const sign of ['%', '_', '*', "'", '"', '.']) {
        const { items, first } = await find(subject, sign)
        const wrong = items.find((item) => !holds(item, sign))
        if (wrong) broken(first, `It finds ${wrong.id}, which does not hold "${sign}".`)
      }
    },
  },
  {
    id: 'q-bounds',
    words: `A "q" of more than ${maxSearchLength} characters, or with a control character, is 400.`,
    needs: ['items', 'search'],
    async run({ ask, path }) {
      for (const q of ['a'.repeat(maxSearchLength + 1), '%07'])
        expectProblem(await ask('GET', `${path}?q=${q}`), 'bad_parameter')
      expectStatus(await ask('GET', `${path}?q=${'a'.repeat(maxSearchLength)}`), 200)
    },
  },
  {
    id: 'q-plus',
    words: 'In a query "+" is a space.',
    needs: ['items', 'search', 'several'],
    async run(subject) {
      const [one, other] = distinct(wordsIn(subject))
      if (!one) unfit('No item holds a word.')
      const texts = [one.word, (other ?? one).word].map(encodeURIComponent)
      const spaced = await subject.ask('GET', `${subject.path}?q=${texts.join('%20')}`)
      const plus = await subject.ask('GET', `${subject.path}?q=${texts.join('+')}`)
      expectIds(plus, expectItems(plus), idsOf(expectItems(spaced)))
      const blank = await subject.ask('GET', `${subject.path}?q=${texts[0]}+`)
      expectIds(blank, expectItems(blank), idsOf((await find(subject, one.word)).items))
    },
  },
  {
    id: 'q-everywhere',
    words: '"first", "last" and "count" heed "q".',
    needs: ['items', 'search', 'some'],
    async run(subject) {
      const { word } = await wordThatFinds(subject)
      const { items } = await find(subject, word)
      const search = `q=${encodeURIComponent(word)}`
      const count = await subject.ask('GET', `${subject.path}/count?${search}`)
      expectStatus(count, 200)
      if (Number(Reflect.get(Object(count.answer.json), 'count')) !== items.length)
        broken(count, `It does not count ${items.length}, as the list has.`)
      for (const [word, item] of [
        ['first', items[0]],
        ['last', items.at(-1)],
      ] as const) {
        const exchange = await subject.ask('GET', `${subject.path}/${word}?${search}`)
        expectStatus(exchange, 200)
        expectSame(exchange, item, `the ${word} item that is found`)
      }
    },
  },
]

interface Word {
  readonly word: string
  readonly item: Found
}

const maxWords = 6

// Words of items, as they could be searched for.
function wordsIn({ items, searchable }: Subject): readonly Word[] {
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

function distinct(words: readonly Word[]): readonly Word[] {
  const [one] = words
  const other = words.find(
    ({ word, item }) => item !== one?.item && foldCase(word) !== foldCase(one?.word ?? ''),
  )
  return [one, other].filter((word) => word !== undefined)
}

async function wordThatFinds(subject: Subject): Promise<{ word: string; ids: readonly string[] }> {
  for (const { word, item } of wordsIn(subject)) {
    const ids = idsOf((await find(subject, word)).items)
    if (ids.includes(String(item.id))) return { word, ids }
  }
  return unfit('No word of the items is found.')
}

function find(subject: Subject, text: string): ReturnType<typeof listAll> {
  return listAll(subject.ask, searchFor(subject, text))
}

function searchFor({ path }: Subject, text: string): string {
  return `${path}?q=${encodeURIComponent(text)}`
}

// Where nobody tells which fields are searched, any text of the item may be what was found.
function holds(item: Found, word: string): boolean {
  return matching([word], ['all'])({ all: textIn(item) })
}

function textIn(value: unknown): string {
  if (typeof value === 'object' && value !== null)
    return Object.values(value).map(textIn).join('\n')
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}
