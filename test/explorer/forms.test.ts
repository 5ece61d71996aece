import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Loose, mapOf, notesWith } from '../support/registry.ts'

const Stored = z.object({
  id: z.string(),
  text: z.string(),
  note: z.string().nullable().optional(),
  color: z.enum(['red', 'green']).nullable().optional(),
  revision: z.number(),
})
const New = Stored.omit({ id: true, revision: true })
const declaration = {
  schema: Stored,
  create: New,
  sortable: [],
  searchable: [],
  revision: 'revision',
}
const items = [
  { id: 'a', text: 't', note: 'n', color: 'red', revision: 3 },
  { id: 'b', text: 'u', revision: 1 },
]

/** Returns the form of an operation on a page; `''` for none. */
async function formAt(
  kind: string,
  path: string,
  { declared = {}, more = {} }: { readonly declared?: object; readonly more?: Loose } = {},
): Promise<string> {
  const { registry } = notesWith(
    { ...mapOf(...items), ...more },
    { declaration: { ...declaration, ...declared } },
  )
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const asked = new Request(`https://h${path}`, { headers: { accept: 'text/html' } })
  const text = await (await fetch(asked)).text()
  return new RegExp(`<form data-kind="${kind}".*?</form>`, 's').exec(text)?.[0] ?? ''
}

function jsonIn(form: string): unknown {
  const [, text = 'null'] = /<textarea[^>]*>([^<]*)<\/textarea>/.exec(form) ?? []
  return JSON.parse(text.replaceAll('&quot;', '"'))
}

function namesIn(form: string): readonly (string | undefined)[] {
  return [...form.matchAll(/data-name="(\w+)"/g)].map(([, name]) => name)
}

describe('the form of a patch', () => {
  test('has the fields, the condition and the type of a merge patch', async () => {
    const form = await formAt('patch', '/v1/notes/a')
    expect(namesIn(form)).toEqual(['text', 'note', 'color'])
    expect(form).toContain(' data-method="PATCH" data-url="/v1/notes/a"')
    expect(form).toContain(' data-media="application/merge-patch+json" data-patch="" data-etag=')
    expect(form).toContain('<code data-changes></code>')
  })

  test('leaves the whole item to the form of PUT, as JSON', async () => {
    const form = await formAt('update', '/v1/notes/a')
    expect(namesIn(form)).toEqual([])
    expect(jsonIn(form)).toEqual({ text: 't', note: 'n', color: 'red' })
    expect(form).toContain(' data-media="application/json" data-etag=')
    expect(form).toContain('Replaces the item')
  })

  test('is that of PUT where nothing offers PATCH', async () => {
    const declared = { without: ['patch'] }
    expect(await formAt('patch', '/v1/notes/a', { declared })).toBe('')
    expect(namesIn(await formAt('update', '/v1/notes/a', { declared }))).toHaveLength(3)
  })

  test('is JSON for a schema that tells no fields', async () => {
    const declared = { update: z.union([New, New.extend({ more: z.string() })]) }
    expect(jsonIn(await formAt('patch', '/v1/notes/a', { declared }))).toEqual({})
    expect(jsonIn(await formAt('update', '/v1/notes/a', { declared }))).toEqual(items[0])
  })

  const cases: readonly (readonly [path: string, kind: string, leavesOut: number])[] = [
    ['/v1/notes', 'create', 2],
    ['/v1/notes/b', 'patch', 2],
    // `null` would be their value.
    ['/v1/notes/a', 'patch', 0],
  ]
  test.each(cases)('at %s, %s, can leave out %i fields', async (path, kind, count) => {
    const options = (await formAt(kind, path)).match(/>left out<|>\(left out\)</g) ?? []
    expect(options).toHaveLength(count)
  })

  test('takes a missing item for one without fields', async () => {
    const declared = { without: ['read'] }
    expect(await formAt('patch', '/v1/notes/a', { declared })).toContain(
      'data-name="text" data-type="text" data-initial="">',
    )
  })
})

describe('the form of a bulk', () => {
  test('tells the script which items it holds, and which members of them', async () => {
    const whole = await formAt('updateMany', '/v1/notes?id:ne=c')
    expect(whole).toContain(' data-url="/v1/notes?id:ne=c&amp;limit=50"')
    expect([jsonIn(whole), whole.includes('data-members')]).toEqual([[], false])
    const form = await formAt('patchMany', '/v1/notes')
    expect(form).toContain(' data-members="[&quot;id&quot;,&quot;revision&quot;]"')
    expect(form).toContain(' data-media="application/json" data-patch=""')
    expect(form).toContain('Changes only the fields that you add')
  })

  test('holds ids alone without a revision', async () => {
    const declared = { revision: undefined, schema: Stored.partial({ revision: true }) }
    const more = { modifyMany: () => [] }
    const form = await formAt('patchMany', '/v1/notes', { declared, more })
    expect(form).toContain(' data-members="[&quot;id&quot;]"')
  })

  test('that creates is offered where the adapter has createMany', async () => {
    const note = 'an array makes several items'
    expect(await formAt('create', '/v1/notes')).not.toContain(note)
    expect(await formAt('create', '/v1/notes', { more: { createMany: () => [] } })).toContain(note)
  })
})

describe('a dry run', () => {
  const rows: readonly (readonly [kind: string, path: string, isOffered: boolean])[] = [
    ['create', '/v1/notes', true],
    ['patchMany', '/v1/notes', true],
    ['updateMany', '/v1/notes', true],
    ['deleteAll', '/v1/notes', false],
    ['patch', '/v1/notes/a', true],
    ['update', '/v1/notes/a', true],
    ['delete', '/v1/notes/a', false],
  ]
  test.each(rows)('is a button of %s at %s: %s', async (kind, path, isOffered) => {
    const form = await formAt(kind, path)
    const button = '<button type="submit" name="dry_run" value="true">Dry run</button>'
    expect(form).toContain('<button')
    expect(form.includes(button)).toBe(isOffered)
  })
})

describe('the description of a target', () => {
  const rows: readonly (readonly [more: Loose, takes: string])[] = [
    [{}, 'item'],
    [{ createMany: () => [] }, 'item or items'],
  ]
  test.each(rows)('tells with %o that create takes %s', async (more, takes) => {
    const { registry } = notesWith({ ...mapOf(...items), ...more }, { declaration })
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const asked = new Request('https://h/v1/notes', { headers: { accept: 'text/html' } })
    expect(await (await fetch(asked)).text()).toContain(
      `<td>create</td><td><code>dry_run</code> </td><td>${takes}</td>`,
    )
  })
})
