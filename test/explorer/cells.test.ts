import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

async function pageWith(field: unknown, type: z.ZodType): Promise<string> {
  const schema = z.object({ id: z.string(), field: type.optional() })
  const notes = defineResource('notes', { schema })
  const registry = defineRegistry(defineApi({ v1: { '/notes': notes } })).adapters({
    notes: memoryAdapter<never>({ items: [{ id: 'a', field }] as never }),
  })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const headers = { accept: 'text/html' }
  return (await fetch(new Request('https://h/v1/notes', { headers }))).text()
}

type Row = readonly [name: string, type: z.ZodType, value: unknown, cell: string]

describe('a cell shows', () => {
  const json = z.unknown()
  const moment = z.iso.datetime({ offset: true })
  // biome-ignore format: a row stays a line
  const rows: readonly Row[] = [
    ['a text',                 z.string(),            'Ann <Lee>',                 'Ann &lt;Lee&gt;'],
    ['a long text, cut',       z.string(),            'x'.repeat(200),             `${'x'.repeat(160)}…`],
    ['an empty text',          z.string(),            '',                          '<i>empty</i>'],
    ['control characters',     z.string(),            'a\u0001b',                  'a\u2401b'],
    ['an enum as a pill',      z.enum(['on', 'off']), 'off',                       '<b>off</b>'],
    ['a boolean',              z.boolean(),           true,                        '<abbr role="img" title="true">✓</abbr>'],
    ['the other boolean',      z.boolean(),           false,                       '<abbr role="img" title="false">·</abbr>'],
    ['a number',               z.number(),            12.5,                        '12.5'],
    ['a date',                 z.iso.date(),          '2026-01-02',                '2026-01-02'],
    ['a moment in UTC',        moment,                '2026-01-02T01:00:30+02:00', '<time title="2026-01-02T01:00:30+02:00">2026-01-01 23:00</time>'],
    ['no moment as it is',     moment,                'soon',                      'soon'],
    ['a text like a moment',   z.string(),            '2026-01-02T01:00:30Z',      '2026-01-02T01:00:30Z'],
    ['the length of a list',   z.array(z.string()),   ['a', 'b'],                  '<abbr title="[&quot;a&quot;,&quot;b&quot;]">2 items</abbr>'],
    ['one item',               z.array(json),         ['x'.repeat(200)],           `<abbr title="[&quot;${'x'.repeat(98)}…">1 item</abbr>`],
    ['an object',              json,                  { a: '"' },                  '<abbr title="{&quot;a&quot;:&quot;\\&quot;&quot;}">{…}</abbr>'],
    ['nothing',                json,                  undefined,                   '<i>–</i>'],
    ['null',                   json,                  null,                        '<i>null</i>'],
  ]
  test.each(rows)('%s', async (_, type, value, cell) => {
    const page = await pageWith(value, type)
    expect(/<td>(.*)\n/.exec(page)?.[1]?.replace('</tbody></table></div>', '')).toBe(cell)
  })
})

test.each([
  ['numbers', z.number(), 1, 'items s1 n2'],
  ['numbers and null', z.int().nullable(), 1, 'items s1 n2'],
  ['short texts', z.string(), 'x'.repeat(11), 'items s1'],
  ['pills', z.enum(['x'.repeat(10)]), 'x'.repeat(10), 'items s1 l2'],
  ['texts', z.string(), `<b>&${'x'.repeat(14)}`, 'items s1 l2'],
  ['long texts', z.string(), 'x'.repeat(19), 'items s1 x2'],
])('a table names the width and the side of a column of %s', async (_, type, value, name) => {
  expect(await pageWith(value, type)).toContain(`<table class="${name}">`)
})
