import { type CanonicalResponse, canonicalOf, type Replacement } from './canonical.ts'
import type { ProvenCollection } from './catalog.ts'
import { type Exchange, isDone } from './exchange.ts'
import type { Bearings, Question } from './question.ts'
import { exchangeAs, type ProofSession, plantFresh, removeItem } from './session.ts'
import { idIn, pathOfCollection, pathOfItem, type TreeItem } from './tree.ts'

/** The responses to a question: the first, and those of what follows from it. */
export interface AskedAnswer {
  readonly question: Question
  readonly exchanges: readonly Exchange[]
  readonly canonical: readonly CanonicalResponse[]
}

/** The answers of one world. */
export interface Interview {
  readonly bearings: Bearings
  readonly answers: readonly AskedAnswer[]
  /** The ids of new items, by collection, in the order of their creation. */
  readonly ids: ReadonlyMap<string, readonly (string | number)[]>
}

/** Asks questions as the asker, and looks after each write whether items of the other changed. */
export async function interview(
  session: ProofSession,
  bearings: Bearings,
  questions: readonly Question[],
): Promise<Interview> {
  const answers: AskedAnswer[] = []
  const ids = new Map<string, (string | number)[]>()
  const note = ({ name }: ProvenCollection, id: string | number): void =>
    void ids.set(name, [...(ids.get(name) ?? []), id])
  let before: Witness | undefined
  for (const question of questions) {
    if (before?.collection !== question.collection)
      before = await witness(session, bearings, question.collection)
    const answer = await ask(session, bearings, { question, note })
    answers.push(answer)
    const [asked] = answer.exchanges
    if (asked === undefined || isSafe(asked.request.method)) continue
    const after = await witness(session, bearings, question.collection)
    if (after.text !== before.text) session.findings.push(changeOf(question, asked, after))
    before = after
  }
  return { bearings, answers, ids }
}

function isSafe(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

interface Witness {
  readonly collection: ProvenCollection
  readonly exchange: Exchange | undefined
  readonly text: string
}

// The list of the other, as the other sees it.
async function witness(
  session: ProofSession,
  { foreign }: Bearings,
  collection: ProvenCollection,
): Promise<Witness> {
  const parents = foreign.parentsOf(collection)
  const isReal = foreign.items.every(({ stored }) => stored !== undefined)
  if (collection.isShared || parents === undefined || (parents.length > 0 && !isReal))
    return { collection, exchange: undefined, text: '' }
  const path = `${pathOfCollection(collection, parents)}?limit=100`
  const exchange = await exchangeAs(session, session.other, { method: 'GET', path })
  return { collection, exchange, text: exchange.response.text }
}

function changeOf({ collection }: Question, asked: Exchange, { exchange }: Witness) {
  const { method, path } = asked.request
  return {
    kind: 'changes' as const,
    collection: collection.name,
    message: `${method} ${path} changes items of another caller.`,
    exchanges: exchange === undefined ? [asked] : [asked, exchange],
  }
}

interface Asking {
  readonly question: Question
  readonly note: (collection: ProvenCollection, id: string | number) => void
}

async function ask(
  session: ProofSession,
  bearings: Bearings,
  asking: Asking,
): Promise<AskedAnswer> {
  const { question, note } = asking
  const { collection, isFresh, build } = question
  const fresh = isFresh ? await plantFresh(session, bearings.own, collection) : undefined
  if (isFresh && fresh === undefined) return { question, exchanges: [], canonical: [] }
  if (fresh !== undefined) note(collection, fresh.id)
  const request = build(fresh ?? nothing(collection))
  // A cache that callers share would now give the other's response.
  if (request.method === 'GET') await session.send(session.other, request)
  const exchange = await exchangeAs(session, session.asker, request)
  const { exchanges, made } = await followUp(session, exchange, { question, fresh })
  for (const id of made) note(collection, id)
  if (fresh !== undefined) await removeItem(session, pathOfItem(fresh))
  const replacements = replacementsOf(bearings, { fresh, made })
  const canonical = exchanges.map(({ response }) =>
    withoutTag(canonicalOf(response, replacements), isFresh || made.length > 0),
  )
  return { question, exchanges, canonical }
}

function nothing(collection: ProvenCollection): TreeItem {
  return { collection, parents: [], id: '', draft: {}, sent: {}, stored: undefined }
}

// Reads what a write has stored, with its references, and removes new items.
async function followUp(
  session: ProofSession,
  exchange: Exchange,
  { question, fresh }: { question: Question; fresh: TreeItem | undefined },
): Promise<{ exchanges: readonly Exchange[]; made: readonly (string | number)[] }> {
  const { request, response } = exchange
  const exchanges = [exchange]
  if (isSafe(request.method) || !isDone(response)) return { exchanges, made: [] }
  const [path = ''] = request.path.split('?')
  const entries: readonly unknown[] = [response.json].flat()
  const made = request.method === 'POST' ? entries.flatMap((entry) => idIn(entry) ?? []) : []
  const madePaths = made.map((id) => `${path}/${encodeURIComponent(id)}`)
  const paths = fresh === undefined ? madePaths : [...madePaths, pathOfItem(fresh)]
  const isDry = request.path.includes('dry_run=true')
  // A server that does not know dry runs has stored the item.
  for (const madePath of madePaths) session.created.set(madePath, session.asker)
  for (const { include } of question.collection.references) {
    if (include === undefined || isDry) continue
    for (const one of paths) {
      const read = { method: 'GET', path: `${one}?include=${include}` }
      exchanges.push(await exchangeAs(session, session.asker, read))
    }
  }
  for (const one of madePaths) await removeItem(session, one)
  return { exchanges, made }
}

function replacementsOf(
  { foreign, key }: Bearings,
  { fresh, made }: { fresh: TreeItem | undefined; made: readonly (string | number)[] },
): readonly Replacement[] {
  const theirs = foreign.items.flatMap(({ collection, id }, index) =>
    collection.isShared ? [] : [[`${id}`, `<theirs ${index}>`] as const],
  )
  const own = made.map((id, index) => [`${id}`, `<new ${index}>`] as const)
  const fresher = fresh === undefined ? [] : [[`${fresh.id}`, '<fresh>'] as const]
  return [...theirs, ...fresher, ...own, [key, '<key>']]
}

// The tag of a new item may depend on its id.
function withoutTag(response: CanonicalResponse, isNew: boolean): CanonicalResponse {
  if (!isNew || response.headers.etag === undefined) return response
  return { ...response, headers: { ...response.headers, etag: '<etag>' } }
}
