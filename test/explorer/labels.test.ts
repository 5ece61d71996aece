import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'

const id = { id: z.string() }
const Hall = z.object({ ...id, name: z.string() })
const Sign = z.object({ ...id, case_id: z.string(), other_id: z.string(), text: z.string() })
const cases = defineResource('cases_v2', { schema: Hall.extend({ hall_id: z.string() }) })
const signs = defineResource('signs_v2', {
  schema: Sign,
  create: Sign.omit({ id: true }),
  references: { case_id: 'cases_v2', other_id: 'cases_v2' },
  searchable: ['text'],
})
const nested = '/halls/:hall_id/cases/:case_id/signs'
const api = defineApi({
  v1: {
    '/halls': defineResource('halls', { schema: Hall }),
    '/halls/:hall_id/cases': cases,
    [nested]: signs,
    '/logs': defineResource('logs_v2', { schema: z.object(id) }),
  },
})
const long = 'Please do not touch. '.repeat(9)
const sign = { id: 's', case_id: 'c', other_id: 'd', text: long }
const brief = { ...sign, id: 't', text: 'x'.repeat(100) }

async function pageAt(path: string): Promise<string> {
  const registry = defineRegistry(api).adapters({
    halls: memoryAdapter({ items: [{ id: 'h', name: 'East' }] }),
    cases_v2: memoryAdapter({
      items: ['c', 'd'].map((key) => ({ id: key, hall_id: 'h', name: key + key })),
    }),
    signs_v2: memoryAdapter({ items: [sign, brief] }),
    logs_v2: { deleteAll: () => 1 },
  })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const headers = { accept: 'text/html' }
  return (await fetch(new Request(`https://h/v1${path}`, { headers }))).text()
}

const list = '/halls/h/cases/c/signs'

// biome-ignore format: a row stays a line
const rows: readonly (readonly [what: string, path: string, text: string])[] = [
  ['the table',                `${list}`,       'class="hidden">signs</caption>'],
  ['the count',                `${list}/count`, '<strong>2</strong> signs</p>'],
  ['the way out of a problem', `${list}/none`,  '>All signs here</a>'],
  ['a reference',              `${list}`,       'string · → cases</p>'],
  ['a deletion',               '/logs',         'data-sure="logs"'],
]
test.each(rows)('%s has the noun of the path', async (_, path, text) => {
  expect(await pageAt(path)).toContain(text)
})

test('a parent in the path has its name in rows and items', async () => {
  const link = '<a href="/v1/halls/h/cases/c"><bdi>cc</bdi></a>'
  expect(await pageAt(list)).toContain(`<td>${link}`)
  const page = await pageAt(`${list}/s`)
  expect(page).toContain(`<dt><bdi>case_id</bdi></dt><dd>${link} <code>c</code></dd>`)
  // An item of the same kind may be below another parent.
  expect(page).toContain('<dt><bdi>other_id</bdi></dt><dd><bdi class="short">d</bdi></dd>')
})

// biome-ignore format: a row stays a line
const names: readonly (readonly [id: string, heading: string, crumb: string])[] = [
  ['s', `${long.slice(0, 100)}…`, `${long.slice(0, 100)}…`],
  ['t', brief.text,               brief.text],
]
test.each(names)(
  'a long name of %s is cut in its heading and its path',
  async (key, heading, crumb) => {
    const page = await pageAt(`${list}/${key}`)
    expect(page).toContain(`<h1><bdi>${heading}</bdi></h1>`)
    expect(page).toContain(`aria-current="page"><bdi>${crumb}</bdi></a>`)
  },
)
