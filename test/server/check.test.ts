import { type HttpResponse, handle } from 'nounful'
import { describe, expect, test } from 'vitest'
import {
  delayed,
  type Line,
  type Loose,
  mapOf,
  notesWith,
  requestOf,
  verdictOf,
} from '../support/registry.ts'

const ann = { id: 'a', text: 'Ann' }
const other = { id: 'b', text: 'Ann' }
const hole = Array<object>(2).fill(ann, 1)
const getter = Object.defineProperty({ id: 'a' }, 'id', {
  get: () => {
    throw new Error('poisoned')
  },
})
const inherited = Object.create(ann) as object

// biome-ignore format: a row stays a line
const lines: Record<string, Line> = {
  list:       ['GET', '/notes'],
  page:       ['GET', '/notes?limit=1'],
  create:     ['POST', '/notes', { text: 'Ann' }],
  updateMany: ['PUT', '/notes', [ann]],
  deleteAll:  ['DELETE', '/notes'],
  read:       ['GET', '/notes/a'],
  update:     ['PUT', '/notes/a', { text: 'Ann' }],
  delete:     ['DELETE', '/notes/a'],
  first:      ['GET', '/notes/first'],
  last:       ['GET', '/notes/last'],
  count:      ['GET', '/notes/count'],
}

// Invalid results of an adapter, and the messages about them.
// biome-ignore format: a row stays a line
const breaches: [line: string, gave: unknown, told: RegExp][] = [
  ['list',       undefined,               /gave, for "list", undefined for a list: return an array/],
  ['list',       null,                    /null for a list/],
  ['list',       { 0: ann, length: 1 },   /an object without a usable "id" for a list/],
  ['list',       new Set([ann]),          /for a list/],
  ['list',       'notes',                 /a value of type string for a list/],
  ['list',       hole,                    /undefined for an item/],
  ['list',       [undefined],             /undefined for an item/],
  ['list',       [null],                  /null for an item/],
  ['list',       [ann, 'b'],              /a value of type string for an item/],
  ['list',       [{ text: 'Ann' }],       /an object without a usable "id" for an item/],
  ['list',       [{ id: null }],          /without a usable "id"/],
  ['list',       [{ id: Number.NaN }],    /without a usable "id"/],
  ['list',       [{ id: 1n }],            /without a usable "id"/],
  ['list',       [inherited],             /without a usable "id"/],
  ['list',       [getter],                /poisoned/],
  ['page',       undefined,               /undefined for a list/],
  ['page',       [ann, ann, null],        /null for an item/],
  ['create',     undefined,               /undefined for an item: return an object with an "id" of text or number/],
  ['create',     null,                    /null for an item/],
  ['create',     true,                    /a value of type boolean for an item/],
  ['create',     [ann],                   /an array for an item/],
  ['updateMany', undefined,               /not one item for each of 1: return an array as long as "items"/],
  ['updateMany', [],                      /not one item for each of 1/],
  ['updateMany', [ann, ann],              /not one item for each of 1/],
  ['updateMany', { 0: ann, length: 1 },   /not one item for each of 1/],
  ['updateMany', [other],                 /items in another order than the client sent/],
  ['updateMany', ['a'],                   /a value of type string for an item/],
  ['deleteAll',  undefined,               /undefined for a number of items: return a whole number from 0/],
  ['deleteAll',  '3',                     /a value of type string for a number of items/],
  ['deleteAll',  [ann],                   /an array for a number of items/],
  ['read',       false,                   /a value of type boolean for an item: return an object with an "id", or null/],
  ['read',       0,                       /a value of type number/],
  ['read',       '',                      /a value of type string/],
  ['read',       [ann],                   /an array for an item/],
  ['read',       other,                   /an item with another id than it was asked for/],
  ['read',       getter,                  /poisoned/],
  ['update',     other,                   /another id/],
  ['update',     true,                    /a value of type boolean/],
  ['delete',     other,                   /another id/],
  ['delete',     1,                       /a value of type number/],
  ['first',      ['a'],                   /an array for an item/],
  ['last',       {},                      /without a usable "id"/],
  ['count',      undefined,               /undefined for a number of items/],
  ['count',      '3',                     /a value of type string/],
  ['count',      -1,                      /a value of type number/],
  ['count',      1.5,                     /a value of type number/],
  ['count',      Number.NaN,              /a value of type number/],
  ['count',      Number.POSITIVE_INFINITY, /a value of type number/],
  ['count',      2 ** 53,                 /a value of type number/],
  ['count',      3n,                      /a value of type bigint/],
]

describe('an adapter that breaks its contract', () => {
  for (const [place, [name, gave, told]] of breaches.entries()) {
    const line = lines[name] as Line
    test(`is told at ${name}, case ${place}`, async () => {
      const kind = name === 'page' ? 'list' : name
      const broken: Loose = { ...mapOf(ann), [kind]: () => gave }
      for (const adapter of [broken, delayed(broken)]) {
        const { registry, errors } = notesWith(adapter)
        expect(verdictOf(await handle(requestOf(line), registry))).toBe('500 internal_error')
        expect(errors).toEqual([expect.objectContaining({ message: expect.stringMatching(told) })])
      }
    })
  }
})

describe('what is no item is told from none', () => {
  // biome-ignore format: a row stays a line
  const rows: [kind: string, verdict: string][] = [
    ['read',       '404 not_found'],
    ['update',     '404 not_found'],
    ['delete',     '404 not_found'],
    ['first',      '404 empty_collection'],
    ['last',       '404 empty_collection'],
  ]
  for (const [kind, verdict] of rows) {
    test(`${kind} of null or undefined is ${verdict}`, () => {
      for (const gave of [null, undefined]) {
        const { registry, errors } = notesWith({ [kind]: () => gave })
        const answer = handle(requestOf(lines[kind] as Line), registry) as HttpResponse
        expect([verdictOf(answer), errors]).toEqual([verdict, []])
      }
    })
  }
})

describe('a method that is none is derived', () => {
  for (const kind of ['first', 'last', 'count']) {
    test(`${kind} of an adapter that has it as null`, () => {
      const { registry } = notesWith({ list: () => [{ id: 'a', text: 'x' }], [kind]: null })
      const answer = handle(requestOf(lines[kind] as Line), registry) as HttpResponse
      expect(verdictOf(answer)).toBe('200')
    })
  }
})

describe('items that are unusual but right', () => {
  // biome-ignore format: a row stays a line
  const items: [name: string, item: object][] = [
    ['frozen',               Object.freeze({ ...ann })],
    ['without a prototype',  Object.assign(Object.create(null), ann)],
    ['of a class',           Object.assign(new (class Note {})(), ann)],
    ['behind a proxy',       new Proxy({ ...ann }, {})],
    ['with an odd id',       { id: 'a', __proto__: { id: 'b' } }],
  ]
  for (const [name, item] of items) {
    test(`${name} are given as they are`, () => {
      const { registry } = notesWith({
        ...mapOf(),
        read: () => item,
        list: () => Object.freeze([item]),
      })
      expect(handle({ method: 'GET', url: '/notes/a' }, registry)).toMatchObject({ status: 200 })
      expect((handle({ method: 'GET', url: '/notes' }, registry) as HttpResponse).body).toEqual([
        item,
      ])
    })
  }
})
