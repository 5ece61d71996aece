import fc from 'fast-check'
import type { HttpRequest } from 'nounful'
import { type OpenApiDocument, toOpenApi } from 'nounful/openapi'
import { anyOf } from '../support/texts.ts'
import type { Specimen } from './contracts.ts'
import { finderFor, follow } from './declared.ts'

type Item = Readonly<Record<string, unknown>>

const odd = [
  'first',
  'count',
  'nobody',
  '0',
  '01',
  '%2F',
  '%zz',
  'a b',
  'é',
  '.',
  'x'.repeat(256),
  '-1',
  'null',
]
const queries = [
  '?q=a',
  '?q=',
  `?q=${'x'.repeat(300)}`,
  '?q=%00',
  '?sort=name',
  '?sort=-label,seats',
  '?sort=weight,weight',
  '?sort=,',
  '?sort=nope',
  '?limit=1',
  '?limit=0',
  '?limit=1&limit=2',
  '?after=x',
  '?nope=1',
  '?x=<',
  '?sort=label&q=a&limit=2',
  '?sort=-id',
  '?id=1',
  '?id=1&id=2',
  '?id:ne=1&limit=1',
  '?name=Ann&name=Bo',
  '?email:ne=a',
  '?label:null=true',
  '?label:null=x',
  '?label:contains=A',
  '?label:contains=',
  '?seats=4&label:null=false',
  '?seats:gte=2',
  '?seats:gte=x',
  '?seats:gte=1&seats:gte=2',
  '?site_id=x',
  '?made_at:lt=2026-01-02T03:04:05Z',
  '?offset=1',
  '?offset=1&limit=1',
  '?offset=-1&limit=1',
  '?fields=id',
  '?fields=nope',
  '?include=boss,team&limit=2',
  '?include=user&include=origin&limit=1',
  '?include=team&fields=id&limit=1',
  '?include=note',
  '?include=nope&limit=1',
  '?dry_run=true',
  '?dry_run=false',
  '?dry_run=true&dry_run=true',
]
const headers: readonly Readonly<Record<string, string>>[] = [
  { 'if-match': '*' },
  { 'if-match': '"1"' },
  { 'if-match': '"x"' },
  { 'if-none-match': '*' },
  { 'if-none-match': 'x' },
  { 'content-range': 'bytes 0-1/2' },
  { prefer: 'max-affected=0' },
  { prefer: 'count=exact' },
  { prefer: 'max-affected=x' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/merge-patch+json' },
  { 'content-encoding': 'gzip' },
]
const texts = ['', '{', '[]', 'null', '1', '{"a":1,"a":2}', '{"__proto__":1}', '"\\u0000"']
const deepText = '['.repeat(40) + ']'.repeat(40)

/** Requests to every path of a specimen, most of them valid. */
export function requestsTo({ registry, options, items }: Specimen): fc.Arbitrary<HttpRequest> {
  const document = toOpenApi(registry, options)
  const find = finderFor(document)
  const all: readonly Item[] = Object.values(items).map(Object)
  const ids = all.map((item) => encodeURIComponent(String(item.id)))
  const values = [...new Set(all.flatMap((item) => Object.values(item))), 'x', 7, null, {}, [1]]
  const fields = [...new Set(all.flatMap((item) => Object.keys(item))), 'unknown']
  const id = fc.oneof(
    { weight: 6, arbitrary: anyOf(...ids) },
    { weight: 1, arbitrary: anyOf(...odd) },
  )
  const url = anyOf(...Object.keys(document.paths)).chain((path) =>
    fc.array(id, { minLength: 4, maxLength: 4 }).map((given) => {
      const left = [...given]
      return path.replaceAll(/\{\w+\}/g, () => String(left.pop()))
    }),
  )
  const changed = anyOf(...all).chain((item) =>
    fc
      .record({ gone: fc.subarray(fields), field: anyOf(...fields), value: anyOf(...values) })
      .map(({ gone, field, value }) => {
        const kept = Object.entries(item).filter(([name]) => !gone.includes(name))
        return { ...Object.fromEntries(kept), [field]: value }
      }),
  )
  const item = fc.oneof(
    anyOf(...all),
    anyOf(...all).map(({ id: _, ...rest }) => rest),
    changed,
  )
  const body = fc.oneof(
    { weight: 8, arbitrary: item.map((value) => JSON.stringify(value)) },
    { weight: 4, arbitrary: fc.array(item, { maxLength: 3 }).map((list) => JSON.stringify(list)) },
    { weight: 1, arbitrary: anyOf(...texts, deepText) },
  )
  return fc
    .record({
      method: anyOf(
        'GET',
        'GET',
        'HEAD',
        'OPTIONS',
        'POST',
        'PUT',
        'PATCH',
        'PUT',
        'PATCH',
        'DELETE',
      ),
      url,
      query: fc.oneof(
        { weight: 3, arbitrary: fc.constant('') },
        { weight: 1, arbitrary: anyOf(...queries) },
      ),
      header: fc.oneof(
        { weight: 4, arbitrary: fc.constant({}) },
        { weight: 1, arbitrary: anyOf(...headers) },
      ),
      body,
      isFit: anyOf(true, true, false),
      isDry: anyOf(true, false, false),
      authorization: anyOf({}, { authorization: 'Bearer x' }, { authorization: 'Bearer x' }),
      stray: fc.integer({ min: 0, max: 9 }),
    })
    .map(({ method, url, query, header, body, isFit, isDry, authorization, stray }) => {
      const writes = ['POST', 'PUT', 'PATCH'].includes(method)
      const fit = isFit ? exampleFor(document, find(method, url)?.body) : undefined
      const text = fit === undefined ? body : JSON.stringify(fit)
      return {
        method,
        url: url + (method === 'GET' || stray < 2 ? query : writes && isDry ? '?dry_run=true' : ''),
        headers: {
          ...(writes ? { 'content-type': 'application/json' } : {}),
          ...authorization,
          ...header,
        },
        body: writes !== (stray === 9) ? text : undefined,
      }
    })
}

// The examples of the document, which the server must accept.
function exampleFor(document: OpenApiDocument, schema: unknown): unknown {
  const { examples, oneOf } = follow(document, schema)
  return Object(examples)[0] ?? (Array.isArray(oneOf) ? exampleFor(document, oneOf[0]) : undefined)
}
