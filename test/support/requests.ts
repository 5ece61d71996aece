import fc from 'fast-check'
import type { HttpRequest } from 'nounful'
import { bodyOf, bulkOf, collection, inPath, type Kind, maybe, number } from './drafts.ts'
import { anyOf, text } from './texts.ts'

/** A request, or the next page of a list that was read some steps before. */
export type Step = HttpRequest | { readonly goOn: number }

const sortable: Readonly<Record<Kind, readonly string[]>> = {
  companies: ['id', 'name', 'created_at'],
  employees: ['id', 'name', 'birthdate', 'created_at'],
  customers: ['id', 'name'],
  gadgets: ['id', 'label', 'note', 'price', 'active', 'weight'],
  parts: [
    ...['id', 'name', 'code', 'size', 'gadget_id'],
    ...['gadget.label', 'gadget.note', 'gadget.price', 'gadget.active', 'gadget.weight'],
  ],
}

const countable: Readonly<Partial<Record<Kind, readonly [string, ...string[]]>>> = {
  gadgets: ['label', 'note', 'price', 'active', 'weight', 'id'],
  parts: ['name', 'code', 'size', 'gadget_id'],
}

const texts = [
  '=',
  ':ne=',
  ':null=',
  ':gt=',
  ':gte=',
  ':lt=',
  ':lte=',
  ':contains=',
  ':startsWith=',
]
const amounts = ['=', ':ne=', ':null=', ':gt=', ':gte=', ':lt=', ':lte=']
const answers = ['=', ':ne=', ':null=']
const member = ['=', ':ne=', ':null=']

/** The fields to filter by, with their operators and the words to compare them with. */
const gadget = {
  label: { signs: texts, word: text },
  note: { signs: texts, word: text },
  price: { signs: amounts, word: number.map(String) },
  weight: { signs: amounts, word: anyOf('1', '2', '2.5', '2.0', '1e0') },
  active: { signs: answers, word: anyOf('true', 'false') },
  labels: { signs: [':has='], word: text },
  'box.city': { signs: member, word: text },
  'box.floor': { signs: member, word: number.map(String) },
  'box.open': { signs: answers, word: anyOf('true', 'false') },
}
const filterable: Readonly<Partial<Record<Kind, Readonly<Record<string, Filtered>>>>> = {
  gadgets: gadget,
  parts: {
    name: { signs: texts, word: text },
    code: { signs: texts, word: anyOf('x', 'y', 'z', 'X') },
    size: { signs: amounts, word: anyOf('1', '2') },
    gadget_id: { signs: amounts, word: anyOf('1', '2', '3', '4', '2147483648') },
    ...Object.fromEntries(
      Object.entries(gadget).map(([field, filtered]) => [`gadget.${field}`, filtered]),
    ),
  },
}

interface Filtered {
  readonly signs: readonly string[]
  readonly word: fc.Arbitrary<string>
}

const flag = anyOf('true', 'false')

/** Some filters of the items: `label:gt=a&weight:null=true`. */
const filtersOf = (kind: Kind, minLength: number): fc.Arbitrary<string> => {
  const fields = Object.entries(filterable[kind] ?? {})
  if (fields.length === 0) return fc.constant('')
  const filter = fc
    .constantFrom(...fields)
    .chain(([field, { signs, word }]) =>
      fc
        .constantFrom(...signs)
        .chain((sign) =>
          (sign === ':null=' ? flag : word).map(
            (value) => `${field}${sign}${encodeURIComponent(value.toWellFormed())}`,
          ),
        ),
    )
  return fc.array(filter, { minLength, maxLength: 3 }).map((filters) => filters.join('&'))
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
            maxLength: 3,
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

// Some fields of a body, its id among them.
function someOf(body: unknown, choice: number): object {
  const fields = Object.entries(Object(body))
  return Object.fromEntries(
    fields.filter(([field], place) => field === 'id' || (choice >> (place % 3)) % 2 === 1),
  )
}

const choice = fc.nat(7)

const written = { 'content-type': 'application/json' }

/** A request of any kind about the resources of peers.ts. */
const request: fc.Arbitrary<HttpRequest> = collection.chain(([path, kind]) => {
  const base = `/v1${path}`
  const one = inPath(kind).map((id) => `${base}/${id}`)
  const query = fc
    .tuple(queryOf(kind), fc.oneof(fc.constant(''), filtersOf(kind, 1)))
    .map(([given, filters]) => `${new URLSearchParams(given)}${filters && `&${filters}`}`)
  const owner = /^\/(compan|gadget)\w+\/[^/]*\//.exec(path)?.[1]
  const isOf = owner && { compan: 'company_id', gadget: 'gadget_id' }[owner]
  // Most bodies leave the owner to the path.
  const body = (of: fc.Arbitrary<unknown>) =>
    fc
      .tuple(of, fc.nat(7))
      .map(([value, luck]) =>
        JSON.stringify(value, (key, member) => (key === isOf && luck > 0 ? undefined : member)),
      )
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
          url: [
            `${base}${end}?`,
            end === '/count' ? withoutSort(given) : given,
            end === '' ? limit : '',
          ].join(''),
        })),
    },
    {
      weight: 2,
      arbitrary: fc
        .tuple(
          query,
          fc.array(anyOf(...(countable[kind] ?? ['name'])), {
            maxLength: kind in countable ? 3 : 0,
          }),
        )
        .map(([given, by]) => ({
          method: 'GET',
          url: `${base}/count?${withoutSort(given)}${by.length > 0 ? `&by=${by.join()}` : ''}`,
        })),
    },
    {
      weight: 8,
      arbitrary: fc.record({
        method: fc.constant('POST'),
        url: fc.constant(base),
        headers: fc.constant(written),
        body: body(
          fc.oneof(
            { weight: 3, arbitrary: bodyOf(kind) },
            { weight: 1, arbitrary: fc.array(bodyOf(kind), { maxLength: 4 }) },
          ),
        ),
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
      weight: 4,
      arbitrary: fc.record({
        method: fc.constant('PATCH'),
        url: one,
        headers: writing,
        body: body(fc.tuple(bodyOf(kind), choice).map(([item, some]) => someOf(item, some))),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        method: fc.constant('PATCH'),
        url: fc.constant(base),
        headers: fc.constant(written),
        body: body(
          fc
            .tuple(bulkOf(kind), choice)
            .map(([items, some]) =>
              Object.values(Object(items)).map((item, place) => someOf(item, some + place)),
            ),
        ),
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
    {
      weight: 2,
      arbitrary: fc.record({
        method: fc.constant('DELETE'),
        url: fc
          .tuple(filtersOf(kind, 1), anyOf('', '', '&dry_run=true', '&q=a'))
          .map(([filters, end]) => `${base}?${filters}${end}`),
        headers: anyOf(1, 2, 3).map((most) => ({ prefer: `max-affected=${most}` })),
      }),
    },
  )
})

const newNames: Readonly<Record<string, string>> = {
  ...{ gadgets: 'devices', parts: 'pieces', gadget: 'device', gadget_id: 'device_id' },
  ...{ label: 'title', note: 'remark', name: 'title', 'box.city': 'city' },
}

/** The same request about the gadgets and parts of version 2, which have other names. */
function inNewNames({ url, body, ...rest }: HttpRequest): HttpRequest {
  const renamed = url
    .replace('/v1/', '/v2/')
    .replaceAll(
      /(?<=[/?&=.-]|%2C)(?:box\.city|[a-z_]+)(?=[/?&=:.%]|$)/g,
      (word) => newNames[word] ?? word,
    )
  const item = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(item)
    if (typeof value !== 'object' || value === null) return value
    const { box, tags, ...fields } = value as {
      readonly box?: { readonly city?: unknown }
      readonly tags?: unknown
    }
    const entries = Object.entries(fields).map(([name, field]) => [newNames[name] ?? name, field])
    return { ...Object.fromEntries(entries), ...(box && { city: box.city }) }
  }
  const text = body === undefined ? {} : { body: JSON.stringify(item(JSON.parse(String(body)))) }
  return { ...rest, url: renamed, ...text }
}

const aboutGadgets = /^\/v1\/(?:gadgets|parts)/

/** A request of any kind, in either version. */
const requestInVersion = fc
  .tuple(request, fc.nat(3))
  .map(([sent, version]) =>
    version === 0 && aboutGadgets.test(sent.url) ? inNewNames(sent) : sent,
  )

function withoutSort(search: string): string {
  return search.replace(/&?sort=[^&]*/, '')
}

/** Requests one after another. */
export const sequence: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: requestInVersion },
    { weight: 1, arbitrary: fc.record({ goOn: fc.nat(2) }) },
  ),
  { minLength: 1, maxLength: 40, size: 'max' },
)
