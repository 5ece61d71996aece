import fc from 'fast-check'
import type { HttpRequest } from 'nounful'
import { bodyOf, bulkOf, collection, inPath, type Kind, maybe } from './drafts.ts'
import { anyOf, text } from './texts.ts'

/** A request, or the next page of a list that was read some steps before. */
export type Step = HttpRequest | { readonly goOn: number }

const sortable: Readonly<Record<Kind, readonly string[]>> = {
  companies: ['id', 'name', 'created_at'],
  employees: ['id', 'name', 'birthdate', 'created_at'],
  customers: ['id', 'name'],
  gadgets: ['id', 'label', 'note', 'price', 'active', 'weight'],
  parts: ['id', 'name', 'code', 'size', 'gadget_id'],
}

const queryOf = (kind: Kind) =>
  fc
    .record({
      q: maybe(
        fc
          .array(text, { minLength: 1, maxLength: 2 })
          .map((words) => words.join(' ').toWellFormed()),
      ),
      sort: maybe(
        fc
          .uniqueArray(fc.tuple(anyOf('', '-'), anyOf(...(sortable[kind] as readonly [string]))), {
            selector: ([, field]) => field,
            minLength: 1,
          })
          .map((fields) => fields.map((parts) => parts.join('')).join()),
      ),
    })
    .map(({ q, sort }) => ({
      ...(q === undefined ? {} : { q }),
      ...(sort === undefined ? {} : { sort }),
    }))

const headersOf = fc.oneof(
  { weight: 8, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: anyOf('*', '"1"', '"2"', '"3", "1"', '"x"').map((tags) => ({ 'if-match': tags })),
  },
)

const written = { 'content-type': 'application/json' }

/** A request of any kind about the resources of peers.ts. */
const request: fc.Arbitrary<HttpRequest> = collection.chain(([path, kind]) => {
  const base = `/v1${path}`
  const one = inPath(kind).map((id) => `${base}/${id}`)
  const query = queryOf(kind).map((given) => new URLSearchParams(given).toString())
  const body = (of: fc.Arbitrary<unknown>) => of.map((value) => JSON.stringify(value))
  const writing = headersOf.map((headers) => ({ ...written, ...headers }))
  return fc.oneof(
    { weight: 4, arbitrary: fc.record({ method: fc.constant('GET'), url: one }) },
    {
      weight: 8,
      arbitrary: fc
        .tuple(
          query,
          anyOf('', '', '&limit=1', '&limit=2', '&limit=3'),
          anyOf('', '', '', '', '/first', '/last', '/count'),
        )
        .map(([given, limit, end]) => ({
          method: 'GET',
          url: `${base}${end}?${given}${end === '' ? limit : ''}`,
        })),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        method: fc.constant('POST'),
        url: fc.constant(base),
        headers: fc.constant(written),
        body: body(bodyOf(kind)),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        method: fc.constant('PUT'),
        url: one,
        headers: writing,
        body: body(bodyOf(kind)),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        method: fc.constant('PUT'),
        url: fc.constant(base),
        headers: fc.constant(written),
        body: body(bulkOf(kind)),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ method: fc.constant('DELETE'), url: one, headers: headersOf }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        method: fc.constant('DELETE'),
        url: fc.constant(base),
        headers: anyOf({}, { prefer: 'max-affected=1' }, { prefer: 'max-affected=2' }),
      }),
    },
  )
})

/** Requests one after another. */
export const sequence: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: request },
    { weight: 1, arbitrary: fc.record({ goOn: fc.nat(2) }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
)
