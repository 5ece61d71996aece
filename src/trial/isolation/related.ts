import { isSame } from '../../convention/value.ts'
import type { OfferedReference } from '../check/message.ts'
import { type CallerRequest, canonicalOf, differencesOf, type Exchange } from './exchange.ts'
import { type Pairs, queryText } from './question.ts'
import { exchangeAs, type ProofSession, removeItem, seedFresh } from './session.ts'
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
 */
export async function findLinked(session: ProofSession, trees: Trees): Promise<void> {
  const { focus, hasControl, lasting } = session
  if (!hasControl || lasting.has(focus.name)) return
  for (const reference of new Set(focus.related.map(({ reference }) => reference))) {
    const [theirs] = trees.foreign
      .ofResource(reference.to)
      .filter(({ collection }) => !collection.isShared)
    const parents = trees.ownTree.parentsOf(focus)
    if (theirs === undefined || parents === undefined) continue
    const filters = focus.related.filter((filter) => filter.reference === reference)
    const path = pathOfCollection(focus, parents)
    const values = [theirs, ...trees.ownTree.ofResource(reference.to)]
    const requests = filters.flatMap((filter) => requestsWith({ path, filter, session, values }))
    await compareFinding(session, trees, { reference, theirs, requests })
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
    Object.entries(patch).every(([field, value]) => isSame(Object(json)[field], value))
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
  if (one === undefined || other === undefined) return []
  const [before, after] = [one, other].map(({ response }) =>
    canonicalOf(response, { replacements: [] }),
  )
  return before === undefined || after === undefined ? [] : differencesOf(before, after)
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
  const known = values.map(({ stored }) => stored?.[field]).filter((value) => value != null)
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
