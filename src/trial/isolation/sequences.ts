import { isCut, parseLink } from '../../wire/link.ts'
import { itemPath } from '../../wire/path.ts'
import { isSuccess } from '../check/message.ts'
import { type CallerRequest, differencesBetween, type Exchange } from './exchange.ts'
import { exchangeAs, type ProofSession, removeItem } from './session.ts'
import { idIn, type ProvenCollection, pathOfCollection, pathOfItem, type Tree } from './tree.ts'

interface Trees {
  readonly ownTree: Tree
  readonly foreign: Tree
}

/** Checks that each caller sees its own items, and that the control sees both. */
export async function checkSeen(session: ProofSession, { ownTree, foreign }: Trees): Promise<void> {
  const { asker, neighbour, findings, hasControl, focus } = session
  const readers = hasControl ? (['everything'] as const) : []
  const views = [
    ...ownTree.of(focus).flatMap((item) => [asker, ...readers].map((caller) => ({ item, caller }))),
    ...foreign
      .of(focus)
      .flatMap((item) => [neighbour, ...readers].map((caller) => ({ item, caller }))),
  ]
  for (const { item, caller } of views) {
    const { collection, parents, id } = item
    const read = await exchangeAs(session, caller, { method: 'GET', path: pathOfItem(item) })
    const path = pathOfCollection(collection, parents)
    const list = await exchangeAs(session, caller, { method: 'GET', path })
    const { text, headers } = list.response
    const isListed = isSuccess(list.response) && (text.includes(`${id}`) || isCut(headers))
    const isRead = isSuccess(read.response) || !isOffered(read)
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
export async function checkCursors(
  session: ProofSession,
  { ownTree, foreign }: Trees,
): Promise<void> {
  const { asker, neighbour, findings } = session
  for (const collection of [session.focus]) {
    const [parents, theirs] = [ownTree.parentsOf(collection), foreign.parentsOf(collection)]
    if (collection.isShared || parents === undefined || theirs === undefined) continue
    const sorts = ['-id', ...(collection.sortable ?? []).slice(0, 2)]
    for (const query of ['?limit=1', ...sorts.map((sort) => `?limit=1&sort=${sort}`)]) {
      const request = { method: 'GET', path: pathOfCollection(collection, theirs) + query }
      const { headers } = await session.send(neighbour, request)
      const cursor = /[?&]after=([^&]*)/.exec(parseLink(headers.link ?? '').next ?? '')?.[1]
      if (cursor === undefined) continue
      const path = pathOfCollection(collection, parents) + query
      const used = await exchangeAs(session, asker, {
        method: 'GET',
        path: `${path}&after=${cursor}`,
      })
      if (!isSuccess(used.response)) continue
      const message = `GET ${path}&after=… accepts the cursor of another caller.`
      findings.push({ kind: 'cursor', collection: collection.name, message, exchanges: [used] })
    }
  }
}

/** Checks that the words of a collection fit its list. */
export async function checkWords(
  session: ProofSession,
  { ownTree, foreign }: Trees,
): Promise<void> {
  const { asker, neighbour, findings } = session
  const collection = session.focus
  for (const [caller, tree] of [[asker, ownTree] as const, [neighbour, foreign] as const]) {
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
      const answer = word === '/count' ? Object(seen.response.json).count : idIn(seen.response.json)
      if (!isSuccess(seen.response) || answer === undefined || answer === value) continue
      const message = `GET ${path}${word} does not fit the list of ${caller}.`
      findings.push({ kind: 'differs', collection: collection.name, message, exchanges: [seen] })
    }
  }
}

interface Trees {
  readonly ownTree: Tree
  readonly foreign: Tree
  /** A text in every item of the other caller. */
  readonly mark: string
}

interface Place {
  readonly collection: ProvenCollection
  /** The collection of the asker. */
  readonly path: string
  /** The collection of the other. */
  readonly theirs: string
  /** The body of a new item of the other. */
  readonly bodyOf: (word: string) => object
}

/** Checks that the asker notices nothing while the other asks, writes, or has many items. */
export async function checkSequences(session: ProofSession, trees: Trees): Promise<void> {
  for (const place of placeOf(session.focus, trees)) {
    await checkTogether(session, place)
    await checkQuiet(session, place)
    if (session.isEmptied && place.collection.ancestors.length === 0)
      await checkCrowd(session, place, trees)
  }
}

function placeOf(collection: ProvenCollection, { ownTree, foreign }: Trees): readonly Place[] {
  const [parents, theirParents] = [ownTree.parentsOf(collection), foreign.parentsOf(collection)]
  const draft = foreign.draftOf(collection)
  if (collection.isShared || !parents || !theirParents || draft === undefined) return []
  const bodyOf = (word: string): object => foreign.fill(draft, collection, word)
  const path = pathOfCollection(collection, parents)
  return [{ collection, path, theirs: pathOfCollection(collection, theirParents), bodyOf }]
}

// A caller that a server keeps in a variable of all requests gets lost where two requests meet.
async function checkTogether(session: ProofSession, place: Place): Promise<void> {
  const request = { method: 'GET', path: place.path }
  const noise = { method: 'GET', path: place.theirs }
  const ask = (): Promise<Exchange> => exchangeAs(session, session.asker, request)
  const disturb = (): Promise<Exchange> => exchangeAs(session, session.neighbour, noise)
  const before = [await ask(), await ask()] as const
  const [, second, , fourth] = await Promise.all([disturb(), ask(), disturb(), ask(), disturb()])
  for (const after of [second, fourth]) report(session, place, { before, after, cause: 'while' })
}

// No write of the other moves a counter, a tag or a time that the asker sees.
async function checkQuiet(session: ProofSession, place: Place): Promise<void> {
  const requests = ['', '/count', '?limit=1'].map((word) => ({
    method: 'GET',
    path: place.path + word,
  }))
  for (const request of requests) {
    for (let round = 0; ; round++) {
      const ask = (): Promise<Exchange> => exchangeAs(session, session.asker, request)
      const before = [await ask(), await ask()] as const
      await write(session, place)
      const after = await ask()
      if (namesOf({ before, after }).length === 0) break
      // A clock can move between any two requests.
      if (round < 2) continue
      report(session, place, { before, after, cause: 'after a write of' })
      break
    }
  }
}

async function write(session: ProofSession, { theirs: path, bodyOf }: Place): Promise<void> {
  const { neighbour, created } = session
  const response = await session.send(neighbour, { method: 'POST', path, body: bodyOf('quiet') })
  const id = isSuccess(response) ? idIn(response.json) : undefined
  if (id === undefined) return
  created.set(itemPath(path, id), neighbour)
  await removeItem(session, itemPath(path, id))
}

const crowd = 101

// Many items of the other, beyond the limits of pages and caches.
async function checkCrowd(session: ProofSession, place: Place, { mark }: Trees): Promise<void> {
  const { neighbour, created } = session
  const words = ['', '/count', '/first', '/last', '?limit=1', `?q=${mark.slice(0, -1)}`]
  const requests: CallerRequest[] = words.map((word) => ({
    method: 'GET',
    path: place.path + word,
  }))
  requests.push({ method: 'GET', path: place.path, headers: { prefer: 'count=exact' } })
  const ask = async (): Promise<readonly Exchange[]> => {
    const exchanges: Exchange[] = []
    for (const request of requests)
      exchanges.push(await exchangeAs(session, session.asker, request))
    return exchanges
  }
  const before = await ask()
  const again = await ask()
  const { theirs: path } = place
  const body = Array.from({ length: crowd }, (_, index) => place.bodyOf(`${mark}many${index}`))
  const response = await session.send(neighbour, { method: 'POST', path, body })
  const entries: readonly unknown[] = Array.isArray(response.json) ? response.json : []
  const ids = isSuccess(response) ? entries.flatMap((entry) => idIn(entry) ?? []) : []
  for (const id of ids) created.set(itemPath(path, id), neighbour)
  const after = ids.length === 0 ? [] : await ask()
  for (const [index, exchange] of after.entries()) {
    const [first = exchange, second = exchange] = [before[index], again[index]]
    report(session, place, { before: [first, second], after: exchange, cause: 'with 101 items of' })
  }
  for (const id of ids) await removeItem(session, itemPath(path, id))
}

interface Moment {
  /** Twice the same, without the cause. */
  readonly before: readonly [Exchange, Exchange]
  readonly after: Exchange
}

// The differences with the cause alone.
function namesOf({ before: [first, second], after }: Moment): readonly string[] {
  const restless = differencesBetween(first, second)
  return differencesBetween(second, after).filter((name) => !restless.includes(name))
}

function report(
  { findings }: ProofSession,
  { collection: { name } }: Place,
  { cause, ...moment }: Moment & { readonly cause: string },
): void {
  // A server may refuse requests that come too fast.
  if ([429, 503].includes(moment.after.response.status)) return
  const names = namesOf(moment)
  if (names.length === 0) return
  const { method, path } = moment.after.request
  const message = `${method} ${path} ${cause} another caller: ${names.join(', ')} differ.`
  const exchanges = [moment.before[1], moment.after]
  findings.push({ kind: 'differs', collection: name, message, exchanges })
}
