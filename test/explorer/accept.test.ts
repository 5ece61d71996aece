import { expect, test } from 'vitest'
import { prefersHtml } from '../../src/explorer/accept.ts'

const chrome =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7'

const rows: readonly (readonly [accept: string | undefined, prefersHtml: boolean])[] = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['text/*', false],
  ['text/*, */*;q=0.1', false],
  ['text/plain', false],
  [chrome, true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['text/html', true],
  ['TEXT/HTML', true],
  ['text/html;charset=utf-8', true],
  ['text/html; charset="UTF-8"', true],
  ['text/html;level=1', false],
  ['text/html, */*', false],
  ['text/html, */*;q=0.999', true],
  ['text/html, application/json', false],
  ['application/json, text/html;q=0.9', false],
  ['application/json;q=0.9, text/html', true],
  ['application/*, text/html;q=0.9', false],
  ['text/html;q=0.5, application/json;q=0.1, */*;q=0.8', true],
  [
    'text/html;q=0.5, application/*;q=0.6, application/json;q=0.1, application/problem+json;q=0',
    true,
  ],
  ['text/html;q=0.5, application/problem+json', false],
  ['text/html;q=0', false],
  ['text/html;q=0.0, application/json;q=0', false],
  ['text/html;q=1.5', false],
  ['text/html;q=', false],
  ['text/html;q=abc', false],
  ['text/html;q=0.1234', false],
  ['text/html ; q=0.8 , application/json ; q=0.7', true],
  ['text/html;Q=0.8, application/json;q=0.9', false],
  ['text/html;q=0.1, text/html', true],
  ['foo="a,text/html"', false],
  ['text/htmlx', false],
  [',,text/html,', true],
]

test.each(rows)('%j: %j', (accept, expected) => {
  expect(prefersHtml(accept)).toBe(expected)
})

test('long headers are read in little time', () => {
  const begun = performance.now()
  for (const part of ['"', '\\"', 'a;', ',', 'text/html;q=0,', '"\\'])
    prefersHtml(`text/html${part.repeat(20_000)}`)
  expect(performance.now() - begun).toBeLessThan(1000)
})
