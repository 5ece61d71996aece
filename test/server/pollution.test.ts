import { defineApi, defineRegistry, defineResource, type HttpRequest, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { respond } from '../../src/server/respond.ts'
import { type Line, requestOf } from '../support/registry.ts'

const Note = z.strictObject({
  id: z.string(),
  text: z.string(),
  rank: z.number().optional(),
  box_id: z.string().optional(),
  tags: z.array(z.strictObject({ name: z.string() })).optional(),
  version: z.number(),
})
const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true, version: true }),
  sortable: ['text', 'rank'],
  searchable: ['text'],
  filterable: ['text', 'rank'],
  revision: 'version',
  references: { box_id: 'boxes' },
})
const Box = z.strictObject({ id: z.string(), name: z.string() })
const boxes = defineResource('boxes', { schema: Box })
const api = defineApi({ v1: { '/notes': notes, '/boxes': boxes, '/boxes/:box_id/notes': notes } })

function registry(): Registry {
  return defineRegistry(api, { limits: { bulk: 3 }, requestId: () => 'r' })
    .onError(() => undefined)
    .use((operation, _context, next) => {
      if (operation.kind === 'count') throw new Error('secret')
      return next()
    })
    .adapters({
      boxes: memoryAdapter({ items: [{ id: 'b1', name: 'x' }] }),
      notes: memoryAdapter({
        nextId: () => 'n9',
        items: [
          { id: 'n1', text: 'a', version: 1 },
          { id: 'n2', text: 'b', rank: 2, box_id: 'b1', version: 1 },
          { id: 'n3', text: 'c', rank: 1, version: 1 },
        ],
      }),
    })
}

// biome-ignore format: a row stays a line
const script: readonly Line[] = [
  ['GET', '/v1/notes'],
  ['GET', '/v1/notes?limit=2&sort=-rank'],
  ['GET', '/notes?q=a'],
  ['GET', '/notes?limit=0'],
  ['GET', '/notes?polluted=1'],
  ['GET', '/v1/notes?limit=2000'],
  ['GET', '/v1/notes?limit=1&offset=1&fields=text'],
  ['GET', '/v1/notes?offset=0&limit=1'],
  ['GET', '/v1/notes?rank=x'],
  ['GET', '/v1/notes?rank=1&text:ne=a&id=n3'],
  ['GET', '/v1/notes', undefined, { prefer: 'count=exact' }],
  ['GET', '/v1/notes', undefined, { prefer: 'wait' }],
  ['GET', '/v1/notes/first'],
  ['GET', '/v1/notes/count'],
  ['GET', '/v1/notes/n1'],
  ['GET', '/v1/notes/polluted'],
  ['GET', '/v1/polluted'],
  ['GET', '/polluted/notes'],
  ['GET', '/v1/boxes/b1/notes'],
  ['GET', '/v1/boxes/b2/notes'],
  ['GET', '/v1/notes?include=box&limit=9'],
  ['GET', '/v1/notes/n2?include=box&fields=text'],
  ['GET', '/v1/notes/n2?include=polluted'],
  ['POST', '/v1/notes', { text: 'new', box_id: 'b2' }],
  ['POST', '/v1/notes', { text: 'new', box_id: 'polluted' }],
  ['DELETE', '/v1/boxes/b1'],
  ['POST', '/v1/notes', { text: 'new', tags: [{ name: 'x' }] }],
  ['POST', '/v1/notes', { text: 'new', odd: 1 }],
  ['POST', '/v1/notes', { tags: [{ name: 1 }] }],
  ['POST', '/v1/notes', '{"text":"a","text":"b"}'],
  ['POST', '/v1/boxes/b1/notes', { text: 'nested' }],
  ['PUT', '/v1/notes/n1', { text: 'changed' }],
  ['PUT', '/v1/notes/n1', { text: 'changed', version: 1 }],
  ['PUT', '/v1/notes/n3', { text: 'changed' }, { 'if-match': '"7"' }],
  ['PUT', '/v1/notes', [{ id: 'n2', text: 'x' }, { id: 'n3', text: 'y' }]],
  ['PUT', '/v1/notes', [{ id: 'n2', text: 'x' }, { id: 'n7', text: 'y' }, { text: 'z' }]],
  ['PATCH', '/v1/notes', {}],
  ['DELETE', '/v1/notes/n2'],
  ['OPTIONS', '/v1/notes'],
  ['DELETE', '/v1/notes', undefined, { prefer: 'max-affected=1' }],
  ['DELETE', '/v1/notes'],
  ['GET', '/v1/notes/last'],
]

async function answers(): Promise<unknown[]> {
  const all: unknown[] = []
  const asked = registry()
  for (const line of script) {
    const plain = { headers: undefined, body: undefined, base: '', signal: undefined }
    const request: HttpRequest = { ...plain, ...requestOf(line) }
    const { status, headers: given, content: text } = await respond(request, asked)
    all.push([status, JSON.stringify(given), text])
  }
  return all
}

const clean = await answers()
// Not `issues`, `message` and `path`, which zod itself takes for its own.
// biome-ignore format: words
const names = [
  'polluted', 'isAdmin', 'constructorName', 'q', 'sort', 'limit', 'after', 'next', 'base',
  'body', 'id', 'items', 'item', 'allowed', 'query', 'supported', 'allow', 'retryAfter',
  'challenge', 'cause', 'code', 'detail', 'status', 'keys', 'version', 'scope', 'kind',
  'parents', 'text', 'rank', 'box_id', 'name', 'if-match', 'content-type', 'prefer', 'rest',
  'isPending', 'isAttended', 'field', 'requestId', 'problem', 'toString2', 'isCounted', 'total',
  'offset', 'fields', 'where', 'least', 'most', 'repeats', 'takes', 'needs', 'is', 'values',
  'type', 'operator', 'fault', 'parameter', 'pointer', 'x-total-count', 'vary', 'counts',
  'include', 'includes', 'names', 'as', 'to', 'box', 'target', 'included', 'references',
  'isIncludable', 'ancestors', 'parameters', 'owners', 'join', 'list', 'read', 'gives', 'known',
  'store', 'create', 'update', 'delete', 'deleteAll', 'updateMany', 'first', 'last', 'count',
  'way', 'place', 'adapter', 'middleware',
]

describe('what somebody wrote to the prototype of all', () => {
  const added: string[] = []
  afterEach(() => {
    for (const name of added.splice(0)) Reflect.deleteProperty(Object.prototype, name)
  })
  for (const name of names) {
    for (const value of ['polluted', 1, { polluted: 1 }]) {
      test(`as ${name}, ${typeof value}, changes no answer`, async () => {
        added.push(name)
        Object.defineProperty(Object.prototype, name, {
          value,
          enumerable: true,
          configurable: true,
          writable: true,
        })
        const polluted = await answers()
        Reflect.deleteProperty(Object.prototype, name)
        expect(polluted).toEqual(clean)
      })
    }
  }
})
