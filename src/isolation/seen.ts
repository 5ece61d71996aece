import { parseLink } from '../wire/link.ts'
import { isDone } from './exchange.ts'
import { exchangeAs, type ProofSession } from './session.ts'
import { pathOfCollection, pathOfItem, type Tree } from './tree.ts'

interface Trees {
  readonly own: Tree
  readonly foreign: Tree
}

/** Checks that each caller sees its own items, and that the control sees both. */
export async function checkSeen(session: ProofSession, { own, foreign }: Trees): Promise<void> {
  const { asker, other, findings, hasControl } = session
  const readers = hasControl ? (['everything'] as const) : []
  const views = [
    ...own.items.flatMap((item) => [asker, ...readers].map((caller) => ({ item, caller }))),
    ...foreign.items.flatMap((item) => [other, ...readers].map((caller) => ({ item, caller }))),
  ]
  for (const { item, caller } of views) {
    const { collection, parents, id } = item
    const read = await exchangeAs(session, caller, { method: 'GET', path: pathOfItem(item) })
    const path = pathOfCollection(collection, parents)
    const list = await exchangeAs(session, caller, { method: 'GET', path })
    const isListed = list.response.text.includes(`${id}`) || 'link' in list.response.headers
    if (isDone(read.response) && isDone(list.response) && isListed) continue
    const seen = isDone(read.response) ? list : read
    const message = `${seen.request.method} ${seen.request.path} hides an item from ${caller}.`
    findings.push({ kind: 'unseen', collection: collection.name, message, exchanges: [seen] })
  }
}

/** Checks that no caller can use a cursor of another. */
export async function checkCursors(session: ProofSession, { foreign }: Trees): Promise<void> {
  const { asker, other, findings } = session
  for (const collection of session.collections) {
    const parents = foreign.parentsOf(collection)
    if (collection.isShared || parents === undefined || parents.length > 0) continue
    const path = `${pathOfCollection(collection, parents)}?limit=1`
    const { headers } = await session.send(other, { method: 'GET', path })
    const cursor = /[?&]after=([^&]*)/.exec(parseLink(headers.link ?? '').next ?? '')?.[1]
    if (cursor === undefined) continue
    const request = { method: 'GET', path: `${path}&after=${cursor}` }
    const used = await exchangeAs(session, asker, request)
    if (!isDone(used.response)) continue
    const message = `GET ${path}&after=… accepts the cursor of another caller.`
    findings.push({ kind: 'cursor', collection: collection.name, message, exchanges: [used] })
  }
}
