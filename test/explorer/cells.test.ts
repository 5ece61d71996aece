import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { mapOf, notesWith } from '../support/registry.ts'

const schema = z.object({ id: z.string(), field: z.unknown().optional() })

async function cellOf(field: unknown): Promise<string | undefined> {
  const { registry } = notesWith(mapOf({ id: 'a', field }), { declaration: { schema } })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const headers = { accept: 'text/html' }
  const page = await (await fetch(new Request('https://h/v1/notes', { headers }))).text()
  return /<td[^>]*>/.exec(page)?.[0]
}

describe('a cell has a title where its column may cut it off', () => {
  const long = 'x'.repeat(29)
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [name: string, value: unknown, cell: string])[] = [
    ['a short text',    'Ann Lee',            '<td>'],
    ['28 characters',   'x'.repeat(28),       '<td>'],
    ['29 characters',   long,                 `<td title="${long}">`],
    ['100 characters',  'x'.repeat(100),      `<td title="${'x'.repeat(100)}">`],
    ['what unfolds',    'x'.repeat(101),      '<td>'],
    ['a short list',    ['a', 'b'],           '<td>'],
    ['a list',          [long, 1],            `<td title="[ &quot;${long}&quot;, 1 ]">`],
    ['an object',       { a: { b: long } },   `<td title="{ &quot;a&quot;: { &quot;b&quot;: &quot;${long}&quot; } }">`],
    ['a number',        12.5,                 '<td>'],
    ['nothing',         undefined,            '<td>'],
    ['null',            null,                 '<td>'],
    ['control characters', `${long}\u0001`,   `<td title="${long}\u2401">`],
  ]
  test.each(rows)('%s', async (_, value, cell) => {
    expect(await cellOf(value)).toBe(cell)
  })

  test('so does an id', async () => {
    const id = 'i'.repeat(60)
    const { registry } = notesWith(mapOf({ id }))
    const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
    const headers = { accept: 'text/html' }
    const page = await (await fetch(new Request('https://h/v1/notes', { headers }))).text()
    expect(page).toContain(`<th scope="row" title="${id}">`)
  })
})
