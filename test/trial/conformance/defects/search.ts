import { foldCase } from '../../../../src/contract/values/order.ts'
import { type BrokenRow, broken, everyWord, searching, selecting } from '../broken.ts'

function plain(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '')
}

function likeToPattern(like: string): RegExp {
  const escaped = like.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(escaped.replaceAll('\\\\', '').replaceAll('%', '.*').replaceAll('_', '.'), 'i')
}

/** Adapters with defects of searches. */
export const searchRows: readonly BrokenRow[] = [
  [
    'knows no search',
    () =>
      broken((operation, next) => next({ ...operation, query: { ...operation.query, words: [] } })),
    [
      'search finds words inside text',
      'first honours the search',
      'last honours the search',
      'first gives null without a match',
      'last gives null without a match',
      'count honours the search',
    ],
  ],
  [
    'matches at the start of text',
    () =>
      broken(
        searching((texts, words) =>
          words.every((word) => texts.some((text) => text.startsWith(word))),
        ),
      ),
    ['search finds words inside text'],
  ],
  [
    'matches any word',
    () =>
      broken(
        searching(
          (texts, words) =>
            words.length === 0 || words.some((word) => texts.some((text) => text.includes(word))),
        ),
      ),
    ['search needs every word', 'count honours the search'],
  ],
  [
    'looks for all words in one field',
    () =>
      broken(
        searching((texts, words) =>
          texts.some((text) => words.every((word) => text.includes(word))),
        ),
      ),
    ['search looks for words across fields'],
  ],
  [
    'joins the fields',
    () => broken(searching((texts, words) => everyWord([texts.join('')], words))),
    ['search takes each field alone'],
  ],
  [
    'searches whatever there is',
    () =>
      broken(
        selecting((items, { query: { words } }) =>
          items.filter((item) => words.every((word) => JSON.stringify(item).includes(word))),
        ),
      ),
    ['search looks into searchable fields only'],
  ],
  [
    'folds case in ASCII only',
    () =>
      broken(
        searching(everyWord, (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())),
      ),
    [
      'search ignores case beyond ASCII',
      'search takes every sigma for one',
      'search takes ß for SS',
    ],
  ],
  ['minds the case', () => broken(searching(everyWord, String)), ['search ignores case']],
  [
    'takes every letter for its plain one',
    () => broken(searching(everyWord, (text) => plain(foldCase(text)))),
    ['search tells accents apart'],
  ],
  [
    'takes every emoji for one',
    () => broken(searching(everyWord, (text) => foldCase(text).replace(/[^\0-\uffff]/gu, '?'))),
    ['search tells emoji apart'],
  ],
  [
    'takes words for patterns of LIKE',
    () =>
      broken(
        searching((texts, words) =>
          words.every((word) => texts.some((text) => likeToPattern(word).test(text))),
        ),
      ),
    ['search takes wildcards as plain text', 'search takes backslashes and quotes plainly'],
  ],
  [
    'takes words for regular expressions',
    () =>
      broken(
        searching((texts, words) =>
          words.every((word) => texts.some((text) => new RegExp(word).test(text))),
        ),
      ),
    ['search takes patterns as plain text', 'search takes wildcards as plain text'],
  ],
]
