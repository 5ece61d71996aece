import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { momentHtml } from '../../src/explorer/value.ts'

const now = Date.UTC(2026, 4, 22, 12)

describe('a moment of an item', () => {
  // The whole value is in the element, and the text is in UTC.
  test.each([
    ['2026-05-22T11:59:59.500Z', '2026-05-22 11:59:59.500 UTC', 'now'],
    ['2026-05-22T11:59:01Z', '2026-05-22 11:59:01 UTC', '59 seconds ago'],
    ['2026-05-22T13:59:00.000+02:00', '2026-05-22 11:59:00 UTC', '1 minute ago'],
    ['2026-05-22T14:59:59Z', '2026-05-22 14:59:59 UTC', 'in 2 hours'],
    ['2026-05-21T12:00:01Z', '2026-05-21 12:00:01 UTC', '23 hours ago'],
    ['2026-05-21T12:00:00Z', '2026-05-21 12:00:00 UTC', 'yesterday'],
    ['2026-06-20T12:00:00Z', '2026-06-20 12:00:00 UTC', 'in 29 days'],
    ['2026-04-22T12:00:00Z', '2026-04-22 12:00:00 UTC', 'last month'],
    ['2020-05-22T12:00:00Z', '2020-05-22 12:00:00 UTC', '6 years ago'],
    ['0001-01-01 00:00:00Z', '0001-01-01 00:00:00 UTC', '2,026 years ago'],
  ])('%s is %s · %s', (text, utc, distance) => {
    expect(momentHtml(text, now).text).toBe(
      `<time datetime="${text}" title="${text}">${utc}</time> <small>· ${distance}</small>`,
    )
  })
})

const Event = z.object({
  id: z.string(),
  at: z.iso.datetime({ offset: true }),
  end: z.iso.datetime().nullable().optional(),
  text: z.string(),
})
const events = defineResource('events', { schema: Event, create: Event.omit({ id: true }) })
const soon = new Date(Date.now() + 90_000).toISOString()
const items = [
  { id: 'a', at: soon, end: null, text: soon },
  { id: 'b', at: '2026-05-22T13:59:00+02:00', text: '' },
  { id: 'c', at: 'soon', text: '' },
]

async function pageOf(path: string): Promise<string> {
  const registry = defineRegistry(defineApi({ v1: { '/events': events } })).adapters({
    events: memoryAdapter<never>({ items: items as never }),
  })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const request = new Request(`https://h/v1/events${path}`, { headers: { accept: 'text/html' } })
  return (await fetch(request)).text()
}

const factIn = (page: string, name: string): string =>
  new RegExp(`<dt><bdi>${name}</bdi></dt><dd>(.*?)</dd>`).exec(page)?.[1] ?? ''
const inputIn = (page: string, name: string): string =>
  new RegExp(`data-name="${name}".*?<div class="entry">(.*?)(?:<select|</div>)`, 's').exec(
    page,
  )?.[1] ?? ''

describe('the page of an item', () => {
  test('shows the moments of its schema so', async () => {
    for (const path of ['/a', '/first']) {
      const page = await pageOf(path)
      expect(factIn(page, 'at')).toMatch(/^<time datetime=".*<small>· in 1 minute<\/small>$/)
      expect(factIn(page, 'end')).toBe('<code class="scalar">null</code>')
      expect(factIn(page, 'text')).toBe(`<bdi class="short">${soon}</bdi>`)
    }
    expect(factIn(await pageOf('/c'), 'at')).toBe('<bdi class="short">soon</bdi>')
  })

  test('says UTC beside the input, unless the value has another zone', async () => {
    const page = await pageOf('/a')
    const [, id] = /<input id="([^"]*)"/.exec(inputIn(page, 'at')) ?? []
    expect(inputIn(page, 'at')).toBe(
      `<input id="${id}" aria-describedby="${id}-hint ${id}-zone ${id}-fault" type="text" ` +
        `value="${soon}" placeholder="2026-01-31T12:00:00Z">` +
        `<span class="zone" id="${id}-zone">UTC</span>`,
    )
    expect(inputIn(page, 'end')).toContain('UTC</span>')
    expect(inputIn(page, 'text')).not.toContain('zone')
    const other = inputIn(await pageOf('/b'), 'at')
    expect(other).toContain('value="2026-05-22T13:59:00+02:00"')
    expect(other).not.toContain('zone')
  })

  test('the command that creates has a moment', async () => {
    expect(await pageOf('')).toContain('&quot;at&quot;:&quot;2026-01-31T12:00:00Z&quot;')
  })
})
