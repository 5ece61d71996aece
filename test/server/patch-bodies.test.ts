import { type } from 'arktype'
import { handle, type StandardSchema } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  type Line,
  type Loose,
  notesWith,
  noting,
  pointersOf,
  requestOf,
  verdictOf,
} from '../support/registry.ts'

const Note = z.object({
  id: z.string(),
  text: z.string(),
  box: z.object({ size: z.number().optional() }).loose().optional(),
  labels: z.record(z.string(), z.json()).optional(),
  rev: z.number(),
})
const declaration = {
  schema: Note,
  create: Note.omit({ id: true, rev: true }),
  revision: 'rev',
  sortable: [],
}
const note = { id: 'a', text: 'old', box: { size: 1 }, labels: { a: 1 }, rev: 1 }

function service(limits = {}) {
  const adapter = memoryAdapter({ items: [note] }) as Loose
  const { registry } = notesWith(adapter, { declaration, options: { limits } })
  return async (...line: Line) => handle(requestOf(line), registry)
}

const merge = 'application/merge-patch+json'
const json = 'application/json'

describe('the media type of a patch', () => {
  // biome-ignore format: a row stays a line
  const types: [type: string | undefined, item: boolean, collection: boolean][] = [
    [merge,                                    true,  false],
    [json,                                     true,  true],
    ['Application/Merge-Patch+JSON',           true,  false],
    ['APPLICATION/JSON',                       true,  true],
    [`${merge};charset=utf-8`,                 true,  false],
    [`${merge} ; charset="UTF-8"`,             true,  false],
    [`${json}; charset=utf-8`,                 true,  true],
    [`\t${merge} `,                            true,  false],
    [`${merge};`,                              true,  false],
    [`${merge};charset=latin1`,                false, false],
    [`${merge};charset=utf-16`,                false, false],
    [`${json};charset=iso-8859-1`,             false, false],
    [`${merge};charset`,                       false, false],
    [`${merge}, ${json}`,                      false, false],
    ['application/merge-patch',                false, false],
    ['application/merge-patch+jsonx',          false, false],
    ['application/merge-patch +json',          false, false],
    ['application/merge\u00adpatch+json',      false, false],
    ['application/json-patch+json',            false, false],
    ['application/problem+json',               false, false],
    ['text/json',                              false, false],
    ['text/plain',                             false, false],
    ['application/x-www-form-urlencoded',      false, false],
    ['multipart/form-data; boundary=x',        false, false],
    [`${merge};${' '.repeat(300)}`,            false, false],
    ['',                                       false, false],
    [undefined,                                false, false],
  ]
  for (const [type, isOfItem, isOfCollection] of types) {
    test(`${type} may be refused`, async () => {
      const headers = { 'content-type': type }
      const verdict = (isTaken: boolean) => (isTaken ? '200' : '400 unsupported_media_type')
      const ask = service()
      const one = await ask('PATCH', '/notes/a', { text: 'new' }, headers)
      expect(verdictOf(one)).toBe(verdict(isOfItem))
      const many = await ask('PATCH', '/notes', [{ id: 'a', text: 'new' }], headers)
      expect(verdictOf(many)).toBe(verdict(isOfCollection))
      const put = await ask('PUT', '/notes/a', { text: 'new' }, headers)
      const post = await ask('POST', '/notes', { text: 'new' }, headers)
      expect([put.status < 400, post.status < 400]).toEqual([isOfCollection, isOfCollection])
    })
  }
})

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

describe('the body of a patch', () => {
  const limits = { body: 1000, depth: 8, keys: 20, values: 40, bulk: 2 }
  // biome-ignore format: a row stays a line
  const bodies: [name: string, body: string, verdict: string, pointers?: string[]][] = [
    ['no text',                '',                                  '400 body_missing'],
    ['white space',            ' ',                                 '400 json_invalid'],
    ['a broken object',        '{"text":}',                         '400 json_invalid'],
    ['a second value',         '{"text":"new"}{}',                  '400 json_invalid'],
    ['a comment',              '{"text":"new"/**/}',                '400 json_invalid'],
    ['a byte order mark',      '\ufeff{"text":"new"}',              '400 json_invalid'],
    ['null',                   'null',                              '422 validation_failed', [' invalid_type']],
    ['a number',               '1',                                 '422 validation_failed', [' invalid_type']],
    ['a boolean',              'true',                              '422 validation_failed', [' invalid_type']],
    ['a text',                 '"text"',                            '422 validation_failed', [' invalid_type']],
    ['an array',               '[{"id":"a","text":"new"}]',         '422 validation_failed', [' invalid_type']],
    ['a JSON patch',           '[{"op":"remove","path":"/text"}]',  '422 validation_failed', [' invalid_type']],
    ['a key twice',            '{"text":"new","text":"newer"}',     '400 json_duplicate_key'],
    ['an escaped key twice',   '{"text":"new","\\u0074ext":"x"}',   '400 json_duplicate_key'],
    ['an inner key twice',     '{"box":{"size":2,"size":3}}',       '400 json_duplicate_key'],
    ['__proto__',              '{"__proto__":{"text":"new"}}',      '400 json_forbidden_key'],
    ['an escaped __proto__',   '{"\\u005f_proto__":null}',          '400 json_forbidden_key'],
    ['an inner __proto__',     '{"box":{"__proto__":{"size":2}}}',  '400 json_forbidden_key'],
    ['a deep patch',           `{"labels":${deep(8)}}`,             '400 json_too_deep'],
    ['deep arrays',            `{"labels":${'['.repeat(2000)}`,     '400 body_too_large'],
    ['a long text',            `{"text":"${'x'.repeat(1000)}"}`,    '400 body_too_large'],
    ['many keys',              `{${[...Array(21).keys()].map((key) => `"k${key}":1`)}}`, '400 body_too_large'],
    ['many values',            `{"labels":{"a":[${'1,'.repeat(40)}1]}}`, '400 body_too_large'],
    ['a lone surrogate',       '{"text":"\\ud800"}',                '422 validation_failed', ['/text unstorable']],
    ['a surrogate key',        '{"\\udfff":1}',                     '422 validation_failed', ['/\udfff unstorable']],
    ['NUL',                    '{"box":{"a":"a\\u0000"}}',          '422 validation_failed', ['/box/a unstorable']],
    ['another id',             '{"id":"b"}',                        '409 id_mismatch', ['/id id_mismatch']],
    ['the id as a number',     '{"id":0}',                          '409 id_mismatch', ['/id id_mismatch']],
    ['a path as the id',       '{"id":"../b"}',                     '409 id_mismatch', ['/id id_mismatch']],
    ['an object as the id',    '{"id":{"a":1}}',                    '409 id_mismatch', ['/id id_mismatch']],
    ['a text for an object',   '{"box":"big"}',                     '422 validation_failed', ['/box invalid_type']],
    ['an array for an object', '{"box":[1]}',                       '422 validation_failed', ['/box invalid_type']],
    ['an object for a text',   '{"text":{"a":null}}',               '422 validation_failed', ['/text invalid_type']],
  ]
  for (const [name, body, verdict, pointers = []] of bodies) {
    test(`${name} is ${verdict}`, async () => {
      const ask = service(limits)
      for (const type of [merge, json]) {
        const refused = await ask('PATCH', '/notes/a', body, { 'content-type': type })
        expect([verdictOf(refused), pointersOf(refused)]).toEqual([verdict, pointers])
      }
      expect((await ask('GET', '/notes/a')).body).toEqual(note)
    })
  }

  // biome-ignore format: a row stays a line
  const taken: [patch: string, changes: object][] = [
    ['{"constructor":null,"toString":1,"hasOwnProperty":{},"valueOf":[],"length":0,"":1,"0":1}', {}],
    ['{"box":{"constructor":{"prototype":{"polluted":1}}}}', { box: { size: 1, constructor: { prototype: { polluted: 1 } } } }],
    ['{"box":{"toString":null,"valueOf":null}}',             {}],
    ['{"labels":{"constructor":{"a":1},"toString":"x"}}',    { labels: { a: 1, constructor: { a: 1 }, toString: 'x' } }],
    ['{"labels":{"a":{"b":{"c":null},"d":1}}}',              { labels: { a: { b: {}, d: 1 } } }],
    ['{"labels":{"a":[null,{"b":null}]}}',                   { labels: { a: [null, { b: null }] } }],
    ['{"labels":{"a":null,"b":null}}',                       { labels: {} }],
    ['{"text":"\\ud83d\\ude00"}',                            { text: '😀' }],
    ['{"text":"null"}',                                      { text: 'null' }],
  ]
  for (const [patch, changes] of taken) {
    test(`${patch} is a patch like any`, async () => {
      const ask = service()
      const { status, body } = await ask('PATCH', '/notes/a', patch, { 'content-type': merge })
      const rev = Object.keys(changes).length > 0 ? 2 : 1
      expect([status, body]).toEqual([200, { ...note, ...changes, rev }])
      expect((await ask('GET', '/notes/a')).body).toEqual(body)
      expect(Reflect.get({}, 'polluted')).toBeUndefined()
    })
  }

  test('is no array longer than the limit', async () => {
    const many = [...Array(3).keys()].map((id) => ({ id: `${id}`, text: 'new' }))
    expect(verdictOf(await service(limits)('PATCH', '/notes', many))).toBe('400 bulk_too_large')
  })

  test('is not compressed', async () => {
    const headers = { 'content-encoding': 'gzip' }
    const refused = await service()('PATCH', '/notes/a', {}, headers)
    expect(verdictOf(refused)).toBe('400 unsupported_encoding')
  })
})

// Each `update`: text is trimmed, tags have a default, loud ends with one "!" more each time.
const updates: Readonly<Record<string, StandardSchema>> = {
  zod: z.object({
    text: z.string().trim(),
    tags: z.array(z.string()).default(['new']),
    size: z.number().optional(),
    note: z.string().nullable().optional(),
    loud: z
      .string()
      .transform((text) => `${text}!`)
      .optional(),
  }),
  valibot: v.object({
    text: v.pipe(v.string(), v.trim()),
    tags: v.optional(v.array(v.string()), ['new']),
    size: v.optional(v.number()),
    note: v.nullish(v.string()),
    loud: v.optional(
      v.pipe(
        v.string(),
        v.transform((text) => `${text}!`),
      ),
    ),
  }),
  arktype: type({
    text: 'string.trim',
    tags: type('string[]').default(() => ['new']),
    'size?': 'number',
    'note?': 'string | null',
    'loud?': type('string').pipe((text) => `${text}!`),
  }),
}
const hasJsonSchema = (name: string) => name !== 'valibot'

describe.each(Object.keys(updates))('a patch of a resource of %s', (name) => {
  const schema = z.object({
    id: z.string(),
    text: z.string(),
    tags: z.array(z.string()).optional(),
    size: z.number().optional(),
    note: z.string().nullable().optional(),
    loud: z.string().optional(),
  })
  const item = { id: 'a', text: 'old', note: 'x', loud: 'hey!' }
  const ask = async (...line: Line) => {
    const adapter = memoryAdapter({ items: [item] }) as Loose
    const update = updates[name]
    const { registry } = notesWith(adapter, { declaration: { schema, update, sortable: [] } })
    return handle(requestOf(line), registry)
  }
  const cleared = hasJsonSchema(name) ? { note: null } : { note: undefined }
  // biome-ignore format: a row stays a line
  const rows: [patch: object, changes: object][] = [
    [{},                      {}],
    [{ text: ' old ' },       {}],
    [{ text: ' new ' },       { text: 'new' }],
    [{ size: 2 },             { size: 2 }],
    [{ tags: ['b'] },         { tags: ['b'] }],
    [{ tags: null },          { tags: ['new'] }],
    [{ note: null },          cleared],
    [{ loud: 'ho' },          { loud: 'ho!' }],
    [{ loud: null },          { loud: undefined }],
  ]
  for (const [patch, changes] of rows) {
    test(`${JSON.stringify(patch)} changes nothing else`, async () => {
      const { status, body } = await ask('PATCH', '/notes/a', patch)
      expect([status, body]).toEqual([200, { ...item, ...changes }])
    })
  }

  test.each([{ text: null }, { text: 1 }, { tags: 'b' }, { size: '2' }])(
    'refuses %j',
    async (patch) => {
      const refused = await ask('PATCH', '/notes/a', patch)
      expect(verdictOf(refused)).toBe('422 validation_failed')
      expect(pointersOf(refused)[0]).toMatch(`/${Object.keys(patch)[0]} `)
    },
  )
})

describe('an update that does not take its own output', () => {
  test('refuses no patch of another field', async () => {
    const schema = z.object({ id: z.string(), text: z.string(), size: z.number() })
    const update = z.object({ text: z.string(), size: z.string().transform(Number) })
    const item = { id: 'a', text: 'old', size: 1 }
    const { registry } = notesWith(memoryAdapter({ items: [item] }) as Loose, {
      declaration: { schema, create: schema.omit({ id: true }), update, sortable: [] },
    })
    const other = await handle(requestOf(['PATCH', '/notes/a', { text: 'new' }]), registry)
    expect(other.body).toEqual({ id: 'a', text: 'new', size: 1 })
    const own = await handle(requestOf(['PATCH', '/notes/a', { size: '2' }]), registry)
    expect(own.body).toEqual({ id: 'a', text: 'new', size: 2 })
  })
})

describe('a write-only field', () => {
  // biome-ignore format: a row stays a line
  const rows: [name: string, secret: z.ZodType, patch: object, verdict: string][] = [
    ['that update requires must be named',  z.string(),            { text: 'new' },                '422 validation_failed'],
    ['that update requires may be named',   z.string(),            { text: 'new', secret: 'x' },   '200'],
    ['that is optional may be left out',    z.string().optional(), { text: 'new' },                '200'],
  ]
  for (const [name, secret, patch, verdict] of rows) {
    test(name, async () => {
      const schema = z.object({ id: z.string(), text: z.string() })
      const update = z.object({ text: z.string(), secret })
      const seen: unknown[] = []
      const item = { id: 'a', text: 'old' }
      const adapter = memoryAdapter({
        items: [item],
        onUpdate: (changed) => noting(seen, changed, {}),
      })
      const { registry } = notesWith(adapter as Loose, { declaration: { schema, update } })
      const response = await handle(requestOf(['PATCH', '/notes/a', patch]), registry)
      expect(verdictOf(response)).toBe(verdict)
      expect(seen).toEqual(verdict === '200' ? [{ ...item, ...patch }] : [])
    })
  }
})
