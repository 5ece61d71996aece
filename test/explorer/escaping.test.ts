import fc from 'fast-check'
import type { HttpResponse } from 'nounful'
import { handle } from 'nounful'
import { explorer } from 'nounful/explorer'
import { describe, expect, test } from 'vitest'
import { html } from '../../src/explorer/html.ts'
import { type Loose, mapOf, notesWith } from '../support/registry.ts'

// A tag in this library's form: lower case, attributes in double quotes without `<` and `>`.
const tagSyntax = /^<(\/?[a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)>/
const safeAttributes =
  /^(?:class|id|for|lang|charset|name|content|rel|href|type|src|scope|role|method|action|value|maxlength|step|autocomplete|inputmode|rows|spellcheck|title|placeholder|dir|hidden|open|tabindex|selected|checked|novalidate|autofocus|aria-[a-z]+|data-[a-z]+)$/
const tagNames = `html head meta title link script body a header nav ol li ul main div h1 h2 h3 p
  small code bdi b i abbr time footer fieldset legend form label input button select option
  textarea section table caption thead tbody
  tr th td kbd details summary dl dt dd pre span em strong dialog`
const tags = new Set(tagNames.split(/\s+/))

/** Returns the parts of a page that are not the explorer's own markup. */
function foreignIn(page: string): readonly string[] {
  const foreign: string[] = []
  for (const { index } of page.matchAll(/</g)) {
    const rest = page.slice(index, index + 200_000)
    if (/^<!doctype html>/.test(rest)) continue
    const [tag, name = '', attributes = ''] = tagSyntax.exec(rest) ?? []
    if (tag === undefined || !tags.has(name.replace('/', ''))) foreign.push(rest.slice(0, 80))
    if (name === 'script' && !/ src="\/_explorer\//.test(attributes))
      foreign.push(rest.slice(0, 80))
    for (const [, attribute = '', value = ''] of attributes.matchAll(
      / ([a-z-]+)(?:="([^"]*)")?/g,
    )) {
      const isUrl = /^(?:href|src|action)$/.test(attribute)
      if (!safeAttributes.test(attribute)) foreign.push(attribute)
      if (isUrl && !/^(?:\/(?!\/)|#)/.test(value)) foreign.push(value)
    }
  }
  return foreign
}

const nasty = fc.constantFrom(
  '<script>x</script>',
  '</script>',
  '"',
  "'",
  '`',
  '>',
  '<',
  '&',
  '&quot;',
  '&#34;',
  '<!--',
  '-->',
  ']]>',
  '</textarea>',
  '</title>',
  '</pre>',
  ' onclick=x',
  'javascript:x',
  '//evil',
  '\u202e',
  '\0',
  '\r\n',
  '\n',
  '\ud800',
  '😀',
)
const text = fc
  .array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 8 })), { maxLength: 12 })
  .map((parts) => parts.join(''))

const changing = { modify: () => null, modifyMany: () => [], createMany: () => [] }

async function pageOf(items: readonly object[], url: string, more: Loose = {}): Promise<string> {
  const { registry } = notesWith(
    { ...mapOf(...(items as never[])), ...more },
    {
      declaration: { readOnly: [], filterable: ['text', 'rank'] },
    },
  )
  const layer = explorer(registry)
  const request = { method: 'GET', url, headers: { accept: 'text/html', host: 'h' } }
  const response: HttpResponse = await layer(request, (asked) => handle(asked, registry), {
    target: undefined,
  })
  return String(response.body)
}

describe('nothing breaks out of', () => {
  test('the values of items', async () => {
    await fc.assert(
      fc.asyncProperty(text, text, fc.jsonValue(), async (value, key, json) => {
        const item = { id: 'a', text: value, [key]: json, rank: { [value]: [value] } }
        for (const url of ['/v1/notes', '/v1/notes/a', '/v1/notes/first']) {
          for (const more of [{}, changing])
            expect(foreignIn(await pageOf([item], url, more))).toEqual([])
        }
      }),
      { numRuns: 150 },
    )
  })

  test('ids', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (id) => {
        fc.pre(/^[^\p{Cc}\p{Cs}]{1,200}$/u.test(id) && !/^\.\.?$/.test(id))
        const items = [{ id, text: 'a' }]
        expect(foreignIn(await pageOf(items, '/v1/notes'))).toEqual([])
        const page = await pageOf(items, `/v1/notes/${encodeURIComponent(id)}`)
        expect(foreignIn(page)).toEqual([])
        expect(page).toContain('200 OK')
      }),
      { numRuns: 100 },
    )
  })

  test('paths and queries, sent raw', async () => {
    await fc.assert(
      fc.asyncProperty(
        text,
        fc.constantFrom(
          '/v1/notes?',
          '/v1/notes?q=',
          '/v1/notes?sort=',
          '/v1/notes?text=',
          '/v1/notes?text:contains=',
          '/v1/notes?id:ne=a&id=',
          '/v1/notes/count?text:ne=',
          '/v1/notes/first?text=a&rank:gte=',
          '/v1/notes?fields=',
          '/v1/notes/',
          '/',
          '/v1/notes#',
        ),
        async (value, start) => {
          for (const end of [value, encodeURIComponent(value.toWellFormed())])
            expect(foreignIn(await pageOf([], start + end))).toEqual([])
        },
      ),
      { numRuns: 150 },
    )
  })

  test('hosts', async () => {
    const { registry } = notesWith(mapOf())
    for (const host of ['"><script>', "'", 'a b', 'evil.example/x', '<']) {
      const request = { method: 'GET', url: '/v1/notes', headers: { accept: 'text/html', host } }
      const { body } = await explorer(registry)(request, (asked) => handle(asked, registry), {
        target: undefined,
      })
      expect(foreignIn(String(body))).toEqual([])
      expect(body).toContain('http://localhost/v1/notes')
    }
  })
})

describe('html', () => {
  const rows: readonly (readonly [ReturnType<typeof html>, string])[] = [
    [html`<p>${'<b>&"\''}</p>`, '<p>&lt;b&gt;&amp;&quot;&#39;</p>'],
    [html`<p>${html`<b>${'<'}</b>`}${undefined}${7}</p>`, '<p><b>&lt;</b>7</p>'],
    [html`${[html`<i></i>`, '<', ['>']]}`, '<i></i>&lt;&gt;'],
    [html`${'a\rb\0c\ud800'}`, 'a&#13;b\ufffdc\ufffd'],
  ]
  test.each(rows)('writes %j', ({ text: written }, expected) => {
    expect(written).toBe(expected)
  })
})
