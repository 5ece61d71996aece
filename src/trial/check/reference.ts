import { defineApi } from '../../contract/declare/define-api.ts'
import { defineRegistry } from '../../contract/declare/define-registry.ts'
import { defineResource } from '../../contract/declare/define-resource.ts'
import type { StandardSchema } from '../../contract/schema/schema.ts'
import { isCode } from '../../convention/problem.ts'
import { isSame } from '../../convention/value.ts'
import { select } from '../../memory.ts'
import { handle } from '../../server/handle.ts'
import { parseLink } from '../../wire/link.ts'
import {
  type CheckedCollection,
  nextPage,
  type ReferenceCollection,
  readFrom,
} from './collection.ts'
import {
  type CheckResponse,
  codeOf,
  expect,
  fail,
  idTextsOf,
  isItems,
  memberOf,
  type ServerItem,
  showBody,
  skip,
  stringsIn,
} from './message.ts'
import { parameterOf } from './path.ts'

type ReadableCollection = Pick<
  CheckedCollection,
  | 'path'
  | 'send'
  | 'items'
  | 'sortable'
  | 'folded'
  | 'searchable'
  | 'countable'
  | 'maxLimit'
  | 'offers'
>

/**
 * Builds a collection with nounful from the items and the description of a server. It stands at
 * the top: it has no parents and no references.
 */
export function referenceOf(collection: ReadableCollection): ReferenceCollection {
  let registry: ReturnType<typeof registryOf> | undefined
  const answer: ReferenceCollection['answer'] = async ({ method, path, headers, body }) => {
    registry ??= registryOf(collection)
    const url = `/v1/items${path.slice(collection.path.length)}`
    return handle({ method, url, headers, body }, registry)
  }
  const beside: Comparison = { ...collection, answer }
  return {
    answer,
    same: (response) => expectSame(response, beside),
    pages: (response) => expectPages(response, beside),
    next: (response) => expectNext(response, beside),
  }
}

type Comparison = Pick<ReadableCollection, 'path' | 'send'> & Pick<ReferenceCollection, 'answer'>

function registryOf(readable: ReadableCollection) {
  const { items, sortable, folded, searchable = [], countable, maxLimit, offers } = readable
  const filterable = [...new Set(offers.filters.map(({ field }) => field))]
  const shape = { schema: schemaOf(items, offers), id: idSchemaOf(items) }
  try {
    const options = { ...shape, sortable, folded, searchable, filterable, countable, maxLimit }
    const resource = defineResource('items', options)
    return defineRegistry(defineApi({ v1: { '/items': resource } })).adapters({
      items: {
        list: (operation) => select(items, operation),
        read: ({ id }) => items.find((item) => item.id === id),
      },
    })
  } catch (error) {
    return skip(`The check cannot rebuild the collection: ${Object(error).message}`)
  }
}

// With the fields and the types that OPTIONS tells.
function schemaOf(
  items: readonly ServerItem[],
  { fields, schemas, filters }: CheckedCollection['offers'],
): StandardSchema<unknown, ServerItem> {
  const names = fields ?? [...new Set(['id', ...items.flatMap((item) => Object.keys(item))])]
  const lists = filters.flatMap(({ field, operator }) => (operator === 'has' ? [field] : []))
  const schemaOf = (name: string): unknown => {
    const schema = schemaAt(name, schemas)
    // Older servers tell the schema of the elements.
    const isOfElement = lists.includes(name) && memberOf(schema, 'type') !== 'array'
    return isOfElement ? { type: 'array', items: schema } : schema
  }
  const properties = Object.fromEntries(names.map((name) => [name, schemaOf(name)]))
  const json = { type: 'object', properties, additionalProperties: fields === undefined }
  return schemaWith(json, (value) => value as ServerItem)
}

// OPTIONS tells the members of an object by their paths: `address.city`.
function schemaAt(name: string, schemas: CheckedCollection['offers']['schemas']): unknown {
  const members = Object.entries(schemas).flatMap(([path, schema]) =>
    path.startsWith(`${name}.`) ? [[path.slice(name.length + 1), schema] as const] : [],
  )
  if (members.length === 0) return schemas[name] ?? {}
  return { type: 'object', properties: Object.fromEntries(members) }
}

function idSchemaOf(items: readonly ServerItem[]): StandardSchema<unknown, string | number> {
  const isNumber = items.some(({ id }) => typeof id === 'number')
  return schemaWith({ type: isNumber ? 'number' : 'string' }, (value) =>
    isNumber ? Number(value) : String(value),
  )
}

function schemaWith<Value>(
  json: object,
  validate: (value: unknown) => Value,
): StandardSchema<unknown, Value> {
  const jsonSchema = { input: () => json, output: () => json }
  const standard = { version: 1, vendor: 'nounful', jsonSchema } as const
  return { '~standard': { ...standard, validate: (value) => ({ value: validate(value) }) } }
}

async function expectSame(response: CheckResponse, beside: Comparison): Promise<void> {
  const { status, headers, body } = await beside.answer(response.request)
  if (status >= 400) return expectProblem(response, body)
  expect.status(response, status)
  if (!isItems(body)) return expect.body(response, body, showBody(body))
  const isPage = parameterOf(response.request.path, 'limit') !== undefined
  if (isPage) expect.ids(response, idTextsOf(body))
  else await expectPages(response, beside)
  expectFields(response, body)
  const { 'preference-applied': applied } = response.headers
  if (applied !== undefined && headers['preference-applied'] === undefined)
    fail(response, 'The response has "Preference-Applied".')
}

function expectProblem(response: CheckResponse, body: unknown): void {
  const code = codeOf(body) ?? ''
  if (isCode(code)) expect.problem(response, code)
  const isListing = stringsIn(body, 'allowed') === undefined
  if (!isListing && stringsIn(response.json, 'allowed') === undefined)
    fail(response, 'The problem has no list "allowed".')
}

// The values in a list may change by themselves.
function expectFields(response: CheckResponse, items: readonly ServerItem[]): void {
  for (const [index, item] of expect.items(response).entries()) {
    const expected = Object.keys(items[index] ?? {}).toSorted()
    if (!isSame(Object.keys(item).toSorted(), expected))
      fail(response, `The item ${item.id} has other fields than ${expected.join(', ')}.`)
  }
}

async function expectPages(response: CheckResponse, { answer, send }: Comparison): Promise<void> {
  const path = response.request.path.replace(/(?<=[?&])limit=\d+(?:&|$)/, '').replace(/[?&]$/, '')
  const { body } = await answer({ ...response.request, path })
  const { items } = await readFrom(response, send)
  if (isItems(body)) expect.ids(response, idTextsOf(body), items)
}

async function expectNext(
  response: CheckResponse,
  { answer, send, path }: Comparison,
): Promise<void> {
  expect.items(response)
  const { headers } = await answer(response.request)
  const expected = parseLink(headers.link ?? '').next
  const next = nextPage(response)
  if (expected === undefined) {
    if (next !== undefined) fail(response, 'The link leads to a next page, but no item is left.')
    return
  }
  if (next === undefined) fail(response, 'The response has no Link with rel="next".')
  const query = expected.slice(expected.indexOf('?'))
  const names = [next, query].flatMap((url) => [...new URLSearchParams(url.split('?')[1]).keys()])
  for (const name of names) {
    const [value, expectedValue] = [next, query].map((url) => parameterOf(url, name))
    const isSameValue = name === 'after' ? value !== undefined : value === expectedValue
    if (!isSameValue)
      fail(response, `The link has ${value === undefined ? 'no' : 'another'} "${name}".`)
  }
  const page = await send('GET', next)
  const { body } = await answer({ ...page.request, path: path + query })
  if (isItems(body)) expect.ids(page, idTextsOf(body))
}
