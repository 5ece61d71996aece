import { isCut, parseLink } from '../../wire/link.ts'
import { type Exchange, isDone } from './exchange.ts'
import { exchangeAs, type ProofSession } from './session.ts'
import { idIn, pathOfCollection, pathOfItem, type Tree } from './tree.ts'

interface Trees {
  readonly own: Tree
  readonly foreign: Tree
}

/** Checks that each caller sees its own items, and that the control sees both. */
export async function checkSeen(session: ProofSession, { own, foreign }: Trees): Promise<void> {
  const { asker, other, findings, hasControl, focus } = session
  const readers = hasControl ? (['everything'] as const) : []
  const views = [
    ...own.of(focus).flatMap((item) => [asker, ...readers].map((caller) => ({ item, caller }))),
    ...foreign.of(focus).flatMap((item) => [other, ...readers].map((caller) => ({ item, caller }))),
  ]
  for (const { item, caller } of views) {
    const { collection, parents, id } = item
    const read = await exchangeAs(session, caller, { method: 'GET', path: pathOfItem(item) })
    const path = pathOfCollection(collection, parents)
    const list = await exchangeAs(session, caller, { method: 'GET', path })
    const { text, headers } = list.response
    const isListed = isDone(list.response) && (text.includes(`${id}`) || isCut(headers))
    const isRead = isDone(read.response) || !isOffered(read)
    if (isRead && (isListed || !isOffered(list))) continue
    const seen = isRead ? list : read
    const message = `${seen.request.method} ${seen.request.path} hides an item from ${caller}.`
    findings.push({ kind: 'unseen', collection: collection.name, message, exchanges: [seen] })
  }
}

// A resource may leave out an operation: 405.
function isOffered({ response }: Exchange): boolean {
  return response.status !== 405
}

/** Checks that no caller can use a cursor of another. */
export async function checkCursors(session: ProofSession, { own, foreign }: Trees): Promise<void> {
  const { asker, other, findings } = session
  for (const collection of [session.focus]) {
    const [parents, theirs] = [own.parentsOf(collection), foreign.parentsOf(collection)]
    if (collection.isShared || parents === undefined || theirs === undefined) continue
    for (const query of ['?limit=1', '?limit=1&sort=-id']) {
      const asked = { method: 'GET', path: pathOfCollection(collection, theirs) + query }
      const { headers } = await session.send(other, asked)
      const cursor = /[?&]after=([^&]*)/.exec(parseLink(headers.link ?? '').next ?? '')?.[1]
      if (cursor === undefined) continue
      const path = pathOfCollection(collection, parents) + query
      const used = await exchangeAs(session, asker, {
        method: 'GET',
        path: `${path}&after=${cursor}`,
      })
      if (!isDone(used.response)) continue
      const message = `GET ${path}&after=… accepts the cursor of another caller.`
      findings.push({ kind: 'cursor', collection: collection.name, message, exchanges: [used] })
    }
  }
}

/** Checks that the words of a collection fit its list. */
export async function checkWords(session: ProofSession, { own, foreign }: Trees): Promise<void> {
  const { asker, other, findings } = session
  const collection = session.focus
  for (const [caller, tree] of [[asker, own] as const, [other, foreign] as const]) {
    const parents = tree.parentsOf(collection)
    if (collection.isShared || parents === undefined) continue
    const path = pathOfCollection(collection, parents)
    const { json, headers } = await session.send(caller, { method: 'GET', path })
    // A server may cut a long list without a link.
    if (!Array.isArray(json) || json.length > 10 || isCut(headers)) continue
    const expected: readonly (readonly [string, unknown])[] = [
      ['/count', json.length],
      ['/first', idIn(json[0])],
      ['/last', idIn(json.at(-1))],
    ]
    for (const [word, value] of expected) {
      const seen = await exchangeAs(session, caller, { method: 'GET', path: path + word })
      const given = word === '/count' ? Object(seen.response.json).count : idIn(seen.response.json)
      if (!isDone(seen.response) || given === undefined || given === value) continue
      const message = `GET ${path}${word} does not fit the list of ${caller}.`
      findings.push({ kind: 'differs', collection: collection.name, message, exchanges: [seen] })
    }
  }
}
