import { filterNameOf, filterPathOf } from '../../contract/schema/filter.ts'
import { filterOperatorNames } from '../../convention/filter-operators.ts'
import { isSame } from '../../convention/value.ts'
import { isSuccess } from '../check/message.ts'
import {
  type CallerName,
  type CallerRequest,
  differencesBetween,
  type Exchange,
  textsWithin,
} from './exchange.ts'
import { ordersBy, queryText, valueAt } from './question.ts'
import { exchangeAs, followPages, type ProofSession } from './session.ts'
import {
  type ProvenCollection,
  pathOfCollection,
  pathOfItem,
  type Tree,
  type TreeItem,
} from './tree.ts'
import { hiddenValues } from './values.ts'

/**
 * Writes values into restricted fields that the asker does not see, and proves by non-interference
 * that no response tells of them: the responses are the same with two sets of values.
 */
export async function findHidden(session: ProofSession, ownTree: Tree): Promise<void> {
  const { focus, asker, isRevealed } = session
  const path = pathOfCollection(focus, ownTree.parentsOf(focus) ?? [])
  for (const field of focus.restricted) {
    if (await isRevealed(asker, { collection: focus, path, field })) continue
    const items = ownTree.of(focus).filter(({ draft }) => draft !== undefined)
    const secret = await secretFor(session, { ownTree, items, field })
    if (secret !== undefined) await compareSecrets(session, secret)
  }
}

/** A field that the asker does not see, with two values that it takes. */
interface Secret {
  readonly ownTree: Tree
  readonly items: readonly TreeItem[]
  readonly field: string
  readonly values: readonly [unknown, unknown]
}

// Finds two values that the field takes, by writing them.
async function secretFor(
  session: ProofSession,
  { ownTree, items, field }: Omit<Secret, 'values'>,
): Promise<Secret | undefined> {
  const { focus, valuesFor = () => hiddenValues } = session
  const [item] = items
  if (item === undefined) return undefined
  const to = focus.references.find((reference) => reference.field === field)?.to
  const ids = to === undefined ? [] : ownTree.ofResource(to).map(({ id }) => id)
  const candidates = to === undefined ? valuesFor(focus, field) : [...ids, null]
  const values: unknown[] = []
  for (const value of candidates) {
    const isNew = values.length < 2 && values.every((chosen) => !isSame(chosen, value))
    if (isNew && (await conceal(session, item, { [field]: value }))) values.push(value)
  }
  const [first, second] = values
  return values.length < 2 ? undefined : { ownTree, items, field, values: [first, second] }
}

// Writes a field as a caller who sees it; tells whether the item then has it.
async function conceal(
  session: ProofSession,
  item: TreeItem,
  patch: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const path = pathOfItem(item)
  const body = { ...item.sent, ...patch }
  for (const request of [
    { method: 'PATCH', path, body: patch },
    { method: 'PUT', path, body },
  ]) {
    const { response } = await exchangeRevealed(session, request)
    if (!isSuccess(response)) continue
    const stored = Object(response.json)
    return Object.entries(patch).every(([field, value]) => isSame(stored[field] ?? null, value))
  }
  return false
}

function exchangeRevealed(session: ProofSession, request: CallerRequest): Promise<Exchange> {
  const { sendRevealed, asker, hasControl } = session
  const caller: CallerName = sendRevealed === undefined && hasControl ? 'everything' : asker
  return exchangeAs({ send: sendRevealed ?? session.send }, caller, request)
}

async function compareSecrets(session: ProofSession, secret: Secret): Promise<void> {
  const { findings, focus } = session
  const { values } = secret
  const requests = requestsAbout(session, secret)
  const first = await askAbout(session, secret, { requests, values })
  // In another order, and in another number.
  const turned = await askAbout(session, secret, { requests, values: [values[1], values[0]] })
  const equal = await askAbout(session, secret, { requests, values: [values[1], values[1]] })
  // What differs with the same values too, such as a revision, tells nothing of them.
  const again = await askAbout(session, secret, { requests, values })
  for (const [index, exchange] of first.entries()) {
    const restless = namesOf(session, exchange, again[index])
    const differing = [turned[index], equal[index]].find((candidate) => {
      const names = namesOf(session, exchange, candidate)
      return names.some((name) => !restless.includes(name))
    })
    if (differing === undefined && !tells(exchange, values)) continue
    const names = namesOf(session, exchange, differing).filter((name) => !restless.includes(name))
    const { method, path } = exchange.request
    const how = differing === undefined ? 'it holds the value' : `${names.join(', ')} differ`
    const message = `${method} ${path} tells of the hidden "${secret.field}": ${how}.`
    const exchanges = differing === undefined ? [exchange] : [exchange, differing]
    findings.push({ kind: 'hidden', collection: focus.name, message, exchanges })
  }
}

interface Asking {
  readonly requests: readonly CallerRequest[]
  readonly values: readonly [unknown, unknown]
}

// Asks everything while the items have some values, and checks that they still have them.
async function askAbout(
  session: ProofSession,
  { items, field }: Secret,
  { requests, values }: Asking,
): Promise<readonly Exchange[]> {
  for (const [index, item] of items.entries())
    await conceal(session, item, { [field]: values[index] })
  const exchanges: Exchange[] = []
  for (const request of requests) {
    const exchange = await exchangeAs(session, session.asker, request)
    const isList = request.method === 'GET' && isSuccess(exchange.response)
    const [first = exchange, next = exchange] = isList
      ? await followPages(session, exchange, 2)
      : [exchange]
    exchanges.push(first, next)
  }
  for (const [index, item] of items.entries()) {
    const read = await exchangeRevealed(session, { method: 'GET', path: pathOfItem(item) })
    const value = Object(read.response.json)[field] ?? null
    if (!isSuccess(read.response) || isSame(value, values[index])) continue
    const message = `A write of ${session.asker} changes the hidden "${field}".`
    const collection = session.focus.name
    session.findings.push({ kind: 'hidden', collection, message, exchanges: [read] })
  }
  return exchanges
}

function namesOf(
  session: ProofSession,
  one: Exchange,
  other: Exchange | undefined,
): readonly string[] {
  if (other === undefined) return []
  const fields = session.collections.flatMap(({ readOnly }) => readOnly)
  return differencesBetween(one, other, { fields, isMasked: () => true })
}

// Tells whether a response holds a value that its request does not name, also encoded.
function tells({ request, response }: Exchange, values: readonly unknown[]): boolean {
  const texts = values.map((value) => `${value}`).filter((text) => /hidden|^\d{7}$/.test(text))
  const said = textsWithin(JSON.stringify([response.text, response.headers]))
  const isOfRequest = (text: string) => textsWithin(JSON.stringify(request)).includes(text)
  return texts.some((text) => said.includes(text) && !isOfRequest(text))
}

function requestsAbout(session: ProofSession, secret: Secret): readonly CallerRequest[] {
  const { focus } = session
  const { items, ownTree } = secret
  const path = pathOfCollection(focus, items[0]?.parents ?? [])
  return [
    ...readsOf(path, secret, focus),
    ...items.flatMap((item) => itemReadsOf(pathOfItem(item), secret)),
    ...includesOf(session, ownTree),
    ...relatedOf(session, secret),
    ...writesOf(path, secret),
    ...(focus.selects ? selectionsOf(path, secret, focus) : []),
  ]
}

type Pair = readonly [name: string, value: unknown]

// Tells how many items a deletion would find, and deletes none.
function selectionsOf(
  path: string,
  secret: Secret,
  focus: ProvenCollection,
): readonly CallerRequest[] {
  return filtersOf(secret, focus).map((pair) => previewOf(path, pair))
}

function previewOf(path: string, pair: Pair): CallerRequest {
  const query = queryText([pair, ['dry_run', true]])
  return { method: 'DELETE', path: path + query, headers: { prefer: 'max-affected=1000' } }
}

function filtersOf(
  { field, values }: Secret,
  { filterable = [] }: ProvenCollection,
): readonly Pair[] {
  const names = new Set([field, ...filterable.filter((name) => isWithinField(name, field))])
  const filters = values.flatMap((value) =>
    [...names].flatMap((name) =>
      filterOperatorNames.map((operator): Pair => {
        const sent = operator === 'null' ? true : soughtIn(value, { field, name })
        return [filterNameOf(name, operator), sent]
      }),
    ),
  )
  const words = values.flatMap((value): Pair[] => [
    ['q', value],
    ['q', `${value}`.slice(0, -1)],
  ])
  return [...filters, ...words]
}

// A member of an object is within its field.
function isWithinField(name: string, field: string): boolean {
  return filterPathOf(name).field === field
}

// Returns the part of a field's value that a filter compares: a member, or an element of a list.
function soughtIn(
  value: unknown,
  { field, name }: { readonly field: string; readonly name: string },
): unknown {
  return valueAt({ [field]: value }, name) ?? value
}

function readsOf(path: string, secret: Secret, focus: ProvenCollection): readonly CallerRequest[] {
  const { field } = secret
  const sorts = [field, `-${field}`, `${field},-id`].map((sort): Pair => ['sort', sort])
  const limit: Pair = ['limit', 1]
  const queries: readonly (readonly Pair[])[] = [
    [],
    [limit],
    ...[...sorts, ...filtersOf(secret, focus)].map((pair) => [pair]),
    ...sorts.map((pair) => [pair, limit]),
    [['fields', field]],
    [['fields', `id,${field}`]],
    [['by', field]],
  ]
  const gets = queries.flatMap((pairs) =>
    ['', '/count', '/first', '/last'].map((word) => ({
      method: 'GET',
      path: path + word + queryText(pairs),
    })),
  )
  const headers = { prefer: 'count=exact' }
  const heads = ['HEAD', 'OPTIONS'].map((method) => ({ method, path }))
  return [...gets, { method: 'GET', path, headers }, ...heads]
}

function itemReadsOf(path: string, { field }: Secret): readonly CallerRequest[] {
  const headers = { 'if-none-match': '"1"' }
  return [
    { method: 'GET', path },
    { method: 'HEAD', path },
    { method: 'GET', path, headers },
    ...[field, `id,${field}`].map((fields) => ({
      method: 'GET',
      path: `${path}?fields=${fields}`,
    })),
  ]
}

// Other items that show one of these beside their own fields.
function includesOf({ collections, focus }: ProofSession, ownTree: Tree): readonly CallerRequest[] {
  return collections.flatMap((collection) => {
    const parents = ownTree.parentsOf(collection)
    const includes = collection.references.filter(({ to }) => to === focus.resource)
    return includes.flatMap(({ include }) =>
      include === undefined || parents === undefined
        ? []
        : [{ method: 'GET', path: `${pathOfCollection(collection, parents)}?include=${include}` }],
    )
  })
}

// Finds and orders other items by a field of these.
function relatedOf({ collections, focus }: ProofSession, secret: Secret): readonly CallerRequest[] {
  return collections.flatMap((collection) => {
    const parents = secret.ownTree.parentsOf(collection)
    const { related, references, selects } = collection
    const filters = related.filter(
      ({ reference, field: name }) =>
        reference.to === focus.resource && isWithinField(name, secret.field),
    )
    if (parents === undefined) return []
    const path = pathOfCollection(collection, parents)
    const { field, values } = secret
    const orders = references
      .filter(({ to }) => to === focus.resource)
      .flatMap(({ as }) => ordersBy({ as, sortable: [field] }))
    const pairs = [
      ...filters.flatMap(({ name, field: at, operator }): Pair[] =>
        (operator === 'null' ? [true, false] : values).map((value) => [
          name,
          soughtIn(value, { field, name: at }),
        ]),
      ),
      ...orders.flatMap((name): Pair[] => [name, `-${name}`].map((sort) => ['sort', sort])),
    ]
    return pairs.flatMap((pair) => [
      ...['', '/count', '/last'].map((word) => ({
        method: 'GET',
        path: path + word + queryText([pair]),
      })),
      ...(selects && pair[0] !== 'sort' ? [previewOf(path, pair)] : []),
    ])
  })
}

// The same whatever is stored: a body with the field is refused, also with the stored value.
function writesOf(path: string, { items, field, values }: Secret): readonly CallerRequest[] {
  const at = items.map((item) => ({ item, path: pathOfItem(item) }))
  const bodies = [...values, null, { nounful: [true] }].map((value) => ({ [field]: value }))
  return [
    ...at.flatMap(({ item, path }) => [
      ...bodies.flatMap((body) => [
        { method: 'PATCH', path: `${path}?dry_run=true`, body },
        { method: 'PATCH', path, body },
        { method: 'PUT', path, body: { ...item.sent, ...body } },
      ]),
      { method: 'PATCH', path, body: {} },
      { method: 'PUT', path, body: item.sent },
      { method: 'PUT', path, body: { nounful: [true] } },
      ...['PATCH', 'PUT'].map((method) => ({
        method,
        path,
        body: { id: 'nounful', ...item.sent },
      })),
    ]),
    ...bodies.flatMap((body) => {
      const draft = { ...items[0]?.sent, ...body }
      return [
        { method: 'POST', path: `${path}?dry_run=true`, body: draft },
        { method: 'PATCH', path, body: items.map(({ id }) => ({ id, ...body })) },
        { method: 'PUT', path, body: items.map(({ id, sent }) => ({ id, ...sent, ...body })) },
      ]
    }),
  ]
}
