import { itemPath } from '../../wire/path.ts'
import { canonicalOf, differencesOf } from './canonical.ts'
import type { ProvenCollection } from './catalog.ts'
import { type CallerRequest, type Exchange, isDone } from './exchange.ts'
import { exchangeAs, type ProofSession, removeItem } from './session.ts'
import { idIn, pathOfCollection, type Tree } from './tree.ts'

interface Trees {
  readonly own: Tree
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

function placeOf(collection: ProvenCollection, { own, foreign }: Trees): readonly Place[] {
  const [parents, others] = [own.parentsOf(collection), foreign.parentsOf(collection)]
  const draft = foreign.draftOf(collection)
  if (collection.isShared || !parents || !others || draft === undefined) return []
  const bodyOf = (word: string): object => foreign.fill(draft, collection, word)
  const path = pathOfCollection(collection, parents)
  return [{ collection, path, theirs: pathOfCollection(collection, others), bodyOf }]
}

// A caller that a server keeps in a variable of all requests gets lost where two requests meet.
async function checkTogether(session: ProofSession, place: Place): Promise<void> {
  const request = { method: 'GET', path: place.path }
  const noise = { method: 'GET', path: place.theirs }
  const ask = (): Promise<Exchange> => exchangeAs(session, session.asker, request)
  const disturb = (): Promise<Exchange> => exchangeAs(session, session.other, noise)
  const before = [await ask(), await ask()] as const
  const [, one, , other] = await Promise.all([disturb(), ask(), disturb(), ask(), disturb()])
  for (const after of [one, other]) report(session, place, { before, after, cause: 'while' })
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
      if (told({ before, after }).length === 0) break
      // A clock can move between any two requests.
      if (round < 2) continue
      report(session, place, { before, after, cause: 'after a write of' })
      break
    }
  }
}

async function write(session: ProofSession, { theirs: path, bodyOf }: Place): Promise<void> {
  const { other, created } = session
  const response = await session.send(other, { method: 'POST', path, body: bodyOf('quiet') })
  const id = isDone(response) ? idIn(response.json) : undefined
  if (id === undefined) return
  created.set(itemPath(path, id), other)
  await removeItem(session, itemPath(path, id))
}

const crowd = 101

// Many items of the other, beyond the limits of pages and caches.
async function checkCrowd(session: ProofSession, place: Place, { mark }: Trees): Promise<void> {
  const { other, created } = session
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
  const response = await session.send(other, { method: 'POST', path, body })
  const entries: readonly unknown[] = Array.isArray(response.json) ? response.json : []
  const ids = isDone(response) ? entries.flatMap((entry) => idIn(entry) ?? []) : []
  for (const id of ids) created.set(itemPath(path, id), other)
  const after = ids.length === 0 ? [] : await ask()
  for (const [index, one] of after.entries()) {
    const [first = one, second = one] = [before[index], again[index]]
    report(session, place, { before: [first, second], after: one, cause: 'with 101 items of' })
  }
  for (const id of ids) await removeItem(session, itemPath(path, id))
}

interface Moment {
  /** Twice the same, without the cause. */
  readonly before: readonly [Exchange, Exchange]
  readonly after: Exchange
}

// The differences with the cause alone.
function told({ before: [first, second], after }: Moment): readonly string[] {
  const [one, two, three] = [first, second, after].map(({ response }) =>
    canonicalOf(response, { replacements: [] }),
  )
  if (one === undefined || two === undefined || three === undefined) return []
  const restless = differencesOf(one, two)
  return differencesOf(two, three).filter((name) => !restless.includes(name))
}

function report(
  { findings }: ProofSession,
  { collection: { name } }: Place,
  { cause, ...moment }: Moment & { readonly cause: string },
): void {
  // A server may refuse requests that come too fast.
  if ([429, 503].includes(moment.after.response.status)) return
  const names = told(moment)
  if (names.length === 0) return
  const { method, path } = moment.after.request
  const message = `${method} ${path} ${cause} another caller: ${names.join(', ')} differ.`
  const exchanges = [moment.before[1], moment.after]
  findings.push({ kind: 'differs', collection: name, message, exchanges })
}
