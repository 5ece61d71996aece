import { isSame } from '../../convention/value.ts'
import type { OfferedReference } from '../check/message.ts'
import { type CallerRequest, differencesBetween, type Exchange } from './exchange.ts'
import { ordersBy, type Pairs, queryText, valueAt } from './question.ts'
import { exchangeAs, followPages, type ProofSession, removeItem, seedFresh } from './session.ts'
import {
  type ProvenCollection,
  pathOfCollection,
  pathOfItem,
  type Tree,
  type TreeItem,
} from './tree.ts'

interface Trees {
  readonly ownTree: Tree
  readonly foreign: Tree
}

/**
 * Lets an item of the asker reference one of the other, which only the control can, and proves that
 * no filter by a field of the related item finds it: the responses are those without the item.
 * An order by such a field takes it for an item without a related one.
 */
export async function findLinked(session: ProofSession, trees: Trees): Promise<void> {
  const { focus, hasControl, lasting } = session
  if (!hasControl || lasting.has(focus.name)) return
  for (const reference of new Set(focus.related.map(({ reference }) => reference))) {
    const targets = trees.foreign
      .ofResource(reference.to)
      .filter(({ collection }) => !collection.isShared)
    const [theirs] = targets
    const parents = trees.ownTree.parentsOf(focus)
    if (theirs === undefined || parents === undefined) continue
    const filters = focus.related.filter((filter) => filter.reference === reference)
    const path = pathOfCollection(focus, parents)
    const values = [theirs, ...trees.ownTree.ofResource(reference.to)]
    const requests = filters.flatMap((filter) => requestsWith({ path, filter, session, values }))
    await compareFinding(session, trees, { reference, theirs, requests })
    await compareOrders(session, trees, { reference, targets, path })
  }
}

interface Finding {
  readonly reference: OfferedReference
  readonly theirs: TreeItem
  readonly requests: readonly CallerRequest[]
}

async function compareFinding(
  session: ProofSession,
  { ownTree }: Trees,
  { reference, theirs, requests }: Finding,
): Promise<void> {
  const { focus, findings } = session
  const before = await askEach(session, requests)
  const fresh = await seedFresh(session, ownTree, focus)
  if (fresh === undefined) return
  const isLinked = await link(session, fresh, { [reference.field]: theirs.id })
  const within = isLinked ? await askEach(session, requests) : []
  await removeItem(session, pathOfItem(fresh))
  const after = within.length === 0 ? [] : await askEach(session, requests)
  for (const [index, exchange] of within.entries()) {
    const restless = namesOf(before[index], after[index])
    const names = namesOf(before[index], exchange).filter((name) => !restless.includes(name))
    if (names.length === 0) continue
    const { method, path } = exchange.request
    const what = `tells of a related item of another: ${names.join(', ')} differ`
    const message = `${method} ${path} ${what}.`
    const exchanges = [before[index] ?? exchange, exchange]
    findings.push({ kind: 'differs', collection: focus.name, message, exchanges })
  }
}

interface Order {
  readonly reference: OfferedReference
  /** The items of the other. */
  readonly targets: readonly TreeItem[]
  readonly path: string
}

// Two items show each place: before all others, between them, and after.
async function compareOrders(
  session: ProofSession,
  { ownTree }: Trees,
  { reference, targets, path }: Order,
): Promise<void> {
  const { focus } = session
  const paths = ordersBy(reference)
    .flatMap((name) => [name, `-${name}`])
    .map((sort) => `${path}?sort=${encodeURIComponent(sort)}`)
  if (paths.length === 0) return
  const seeds = [await seedFresh(session, ownTree, focus), await seedFresh(session, ownTree, focus)]
  const items = seeds.filter((item) => item !== undefined)
  // A required reference always names an item: the order must not tell two of the other's apart.
  const ids = [null, ...targets.map(({ id }) => id)]
  for (const [place, target] of targets.slice(0, 2).entries()) {
    const start = { [reference.field]: ids[place] }
    const end = { [reference.field]: target.id }
    const linked: TreeItem[] = []
    for (const item of items) if (await link(session, item, start)) linked.push(item)
    for (const item of linked) await comparePlaces(session, { item, paths, start, end })
    if (linked.length > 0) break
  }
  for (const item of items) await removeItem(session, pathOfItem(item))
}

interface PlaceComparison {
  readonly item: TreeItem
  readonly paths: readonly string[]
  readonly start: Readonly<Record<string, unknown>>
  readonly end: Readonly<Record<string, unknown>>
}

async function comparePlaces(
  session: ProofSession,
  { item, paths, start, end }: PlaceComparison,
): Promise<void> {
  const before = await askOrders(session, paths)
  const isLinked = await link(session, item, end)
  const within = isLinked ? await askOrders(session, paths) : []
  await link(session, item, start)
  const after = await askOrders(session, paths)
  for (const [index, exchange] of within.entries()) {
    const [old, same] = [before[index], after[index]]
    if (old === undefined || same === undefined || placesIn(old) !== placesIn(same)) continue
    if (placesIn(old) === placesIn(exchange)) continue
    const message = `GET ${exchange.request.path} sorts by a related item of another.`
    const exchanges = [old, exchange]
    session.findings.push({ kind: 'differs', collection: session.focus.name, message, exchanges })
  }
}

async function askOrders(
  session: ProofSession,
  paths: readonly string[],
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const path of paths) {
    const [all, single, ...ends] = await askEach(
      session,
      [
        path,
        `${path}&limit=1`,
        ...['/first?', '/last?'].map((word) => path.replace('?', word)),
      ].map((path) => ({ method: 'GET', path })),
    )
    if (all === undefined || single === undefined) continue
    exchanges.push(all, ...(await followPages(session, single, 3)), ...ends)
  }
  return exchanges
}

// The ids in their order, and the links of the page: a cursor holds the values of the order.
function placesIn({ response: { status, json, headers } }: Exchange): string {
  const ids = [json].flat().map((item) => Object(item).id)
  return JSON.stringify([status, ids, headers.link])
}

// As a caller who sees the items of both. Tells whether the item then has the values.
async function link(
  session: ProofSession,
  fresh: TreeItem,
  patch: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const path = pathOfItem(fresh)
  const { response } = await exchangeAs(session, 'everything', {
    method: 'PATCH',
    path,
    body: patch,
  })
  const { json } = await session.send(session.asker, { method: 'GET', path })
  return (
    response.status === 200 &&
    Object.entries(patch).every(([field, value]) => isSame(Object(json)[field] ?? null, value))
  )
}

async function askEach(
  session: ProofSession,
  requests: readonly CallerRequest[],
): Promise<readonly Exchange[]> {
  const exchanges: Exchange[] = []
  for (const request of requests) exchanges.push(await exchangeAs(session, session.asker, request))
  return exchanges
}

function namesOf(one: Exchange | undefined, other: Exchange | undefined): readonly string[] {
  return one === undefined || other === undefined ? [] : differencesBetween(one, other)
}

interface Sought {
  readonly path: string
  readonly filter: ProvenCollection['related'][number]
  readonly session: ProofSession
  /** The other's item, and those of the asker. */
  readonly values: readonly TreeItem[]
}

function requestsWith({ path, filter, session, values }: Sought): readonly CallerRequest[] {
  const { countable, selects } = session.focus
  const { name, field, operator } = filter
  const known = values.map(({ stored }) => valueAt(stored, field)).filter((value) => value !== null)
  const sent = operator === 'null' ? [true, false] : [...new Set([...known.slice(0, 2), 'none'])]
  return sent.flatMap((value) => {
    const get = (word: string, pairs: Pairs = [], headers = {}): CallerRequest => ({
      method: 'GET',
      path: path + word + queryText([[name, value], ...pairs]),
      headers,
    })
    return [
      ...['', '/count', '/first', '/last'].map((word) => get(word)),
      get(
        '',
        [
          ['limit', 1],
          ['sort', '-id'],
        ],
        { prefer: 'count=exact' },
      ),
      ...countable.slice(0, 1).map((by) => get('/count', [['by', by]])),
      ...(selects
        ? [
            {
              ...get('', [['dry_run', true]], { prefer: 'max-affected=1000' }),
              method: 'DELETE',
            },
          ]
        : []),
    ]
  })
}
