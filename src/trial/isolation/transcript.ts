import { itemPath } from '../../wire/path.ts'
import { isSuccess } from '../check/message.ts'
import {
  type CallerRequest,
  canonicalOf,
  type Exchange,
  maskChances,
  type Replacement,
} from './exchange.ts'
import type { AskedAnswer, Question, QuestionFacts, Transcript } from './question.ts'
import { exchangeAs, followPages, type ProofSession, removeItem, seedFresh } from './session.ts'
import {
  idIn,
  idsIn,
  type ProvenCollection,
  pathOfCollection,
  pathOfItem,
  type Tree,
  type TreeItem,
} from './tree.ts'

/** Asks questions as the asker, and looks after each write whether items of the other changed. */
export async function askAll(
  session: ProofSession,
  facts: QuestionFacts,
  questions: readonly (Question | undefined)[],
): Promise<Transcript> {
  const answers: (AskedAnswer | undefined)[] = []
  const ids = new Map<string, (string | number)[]>()
  const note = ({ name }: ProvenCollection, id: string | number): void =>
    void ids.set(name, [...(ids.get(name) ?? []), id])
  const seen = new Map<ProvenCollection, Witness>()
  for (const collection of session.collections)
    seen.set(collection, await witness(session, facts, collection))
  for (const question of questions) {
    if (question === undefined) {
      answers.push(undefined)
      continue
    }
    const answer = await ask(session, facts, { question, note })
    answers.push(answer)
    const [exchange] = answer.exchanges
    if (exchange === undefined || isSafe(exchange.request.method)) continue
    const after = await witness(session, facts, question.collection)
    const { name } = question.collection
    if (after.text !== seen.get(question.collection)?.text)
      session.findings.push(changeOf(name, exchange, after))
    seen.set(question.collection, after)
  }
  for (const [collection, before] of seen) {
    const after = await witness(session, facts, collection)
    if (after.text === before.text || after.exchange === undefined) continue
    session.findings.push(changeOf(collection.name, after.exchange, after))
  }
  return { facts, answers, ids }
}

// Items that never were can neither change nor fill a cache.
function isReal({ items }: Tree): boolean {
  return items.every(({ stored }) => stored !== undefined)
}

interface Witness {
  readonly collection: ProvenCollection
  readonly exchange: Exchange | undefined
  readonly text: string
}

// The list of the other, as the other sees it.
async function witness(
  session: ProofSession,
  { foreign }: QuestionFacts,
  collection: ProvenCollection,
): Promise<Witness> {
  const parents = foreign.parentsOf(collection)
  if (collection.isShared || parents === undefined || !isReal(foreign))
    return { collection, exchange: undefined, text: '' }
  const path = `${pathOfCollection(collection, parents)}?limit=100`
  const exchange = await exchangeAs(session, session.neighbour, { method: 'GET', path })
  const pages = await followPages(session, exchange, 100)
  return { collection, exchange, text: pages.map(({ response }) => response.text).join() }
}

function changeOf(collection: string, cause: Exchange, { exchange }: Witness) {
  const { method, path } = cause.request
  const isElsewhere = cause === exchange
  const message = isElsewhere
    ? `${path} changed: a write of another collection changes items of another caller.`
    : `${method} ${path} changes items of another caller.`
  const exchanges = isElsewhere || exchange === undefined ? [cause] : [cause, exchange]
  return { kind: 'changes' as const, collection, message, exchanges }
}

interface Asking {
  readonly question: Question
  readonly note: (collection: ProvenCollection, id: string | number) => void
}

async function ask(
  session: ProofSession,
  facts: QuestionFacts,
  asking: Asking,
): Promise<AskedAnswer> {
  const { question, note } = asking
  const { collection, isFresh, build, caller } = question
  const fresh = isFresh ? await seedFresh(session, facts.ownTree, collection) : undefined
  if (isFresh && fresh === undefined) return { question, exchanges: [], canonical: [] }
  if (fresh !== undefined) note(collection, fresh.id)
  const request = build(fresh ?? nothing(collection))
  // A cache that callers share would now give the other's response.
  const isWarm = request.method === 'GET' && isReal(facts.foreign)
  if (isWarm) await session.send(session.neighbour, request)
  const exchange = await exchangeAs(session, caller ?? session.asker, request)
  const { exchanges, newIds } = await followUp(session, exchange, {
    question,
    fresh,
    ownTree: facts.ownTree,
  })
  for (const id of newIds) note(collection, id)
  if (fresh !== undefined) await removeItem(session, pathOfItem(fresh))
  const replacements = replacementsOf(facts, { fresh, newIds })
  const masked = maskChances(session.collections.flatMap(({ readOnly }) => readOnly))
  const canonical = exchanges.map(({ response }) => canonicalOf(response, { replacements, masked }))
  return { question, exchanges, canonical }
}

// A message may name the tag of an item, which differs in each world where it is random.
function chancesIn({ collection, stored = {} }: TreeItem): readonly Replacement[] {
  const values = collection.readOnly.map((field) => stored[field])
  const texts = values.filter((value) => typeof value === 'string')
  return texts.filter(({ length }) => length >= 16).map((text) => [text, '<chance>'] as const)
}

function nothing(collection: ProvenCollection): TreeItem {
  return { collection, parents: [], id: '', draft: {}, sent: {}, stored: undefined }
}

function replacementsOf(
  { foreign, key, ownTree, isReseeded }: QuestionFacts,
  { fresh, newIds }: { fresh: TreeItem | undefined; newIds: readonly (string | number)[] },
): readonly Replacement[] {
  const theirs = idsIn(foreign).map((id, index) => [id, `<theirs ${index}>`] as const)
  const added = newIds.map((id, index) => [`${id}`, `<new ${index}>`] as const)
  const reseeded = isReseeded
    ? idsIn(ownTree).map((id, index) => [id, `<own ${index}>`] as const)
    : []
  const fresher =
    fresh === undefined ? [] : [[`${fresh.id}`, '<fresh>'] as const, ...chancesIn(fresh)]
  return [...fresher, ...added, ...reseeded, ...theirs, [key, '<key>']]
}

/** Tells a method that changes nothing. */
function isSafe(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

interface Following {
  readonly question: Question
  readonly fresh: TreeItem | undefined
  /** The items of the asker that were there before the request. */
  readonly ownTree: Tree
}

/** The outcome of a request: more responses, and the ids of new items. */
interface Followed {
  readonly exchanges: readonly Exchange[]
  readonly newIds: readonly (string | number)[]
}

/** Reads what a write has stored, with its references, and removes new items. */
async function followUp(
  session: ProofSession,
  exchange: Exchange,
  following: Following,
): Promise<Followed> {
  const { request, response } = exchange
  const { fresh, ownTree } = following
  if (isSafe(request.method)) return { exchanges: await readOn(session, exchange), newIds: [] }
  if (!isSuccess(response)) {
    if (fresh === undefined) return { exchanges: [exchange], newIds: [] }
    // A refused write has stored nothing.
    const read = { method: 'GET', path: pathOfItem(fresh) }
    return { exchanges: [exchange, await exchangeAs(session, session.asker, read)], newIds: [] }
  }
  const [path = ''] = request.path.split('?')
  const entries: readonly unknown[] = [response.json].flat()
  // A dry run may name an owner that is there already.
  const knownPaths = new Set(ownTree.items.map(pathOfItem))
  const isNew = (id: string | number): boolean => !knownPaths.has(itemPath(path, id))
  const ids = request.method === 'POST' ? entries.flatMap((entry) => idIn(entry) ?? []) : []
  const newIds = ids.filter(isNew)
  const madePaths = newIds.map((id) => itemPath(path, id))
  // A server that does not know dry runs has stored the item.
  for (const madePath of madePaths) session.created.set(madePath, session.asker)
  const paths = fresh === undefined ? madePaths : [...madePaths, pathOfItem(fresh)]
  const exchanges = [exchange]
  for (const read of readsAfter(request, paths, following))
    exchanges.push(await exchangeAs(session, session.asker, read))
  for (const path of madePaths) await removeItem(session, path)
  return { exchanges, newIds }
}

// Reads the written items with their references, and in a list where they name a foreign item.
function readsAfter(
  { path }: CallerRequest,
  paths: readonly string[],
  { question }: Following,
): readonly CallerRequest[] {
  if (path.includes('dry_run=true')) return []
  return question.collection.references.flatMap(({ include }) => {
    if (include === undefined) return []
    const items = paths.map((path) => `${path}?include=${include}`)
    const lists = question.isNaming
      ? paths
          .slice(0, 1)
          .map((path) => `${path.slice(0, path.lastIndexOf('/'))}?include=${include}`)
      : []
    const reads = [
      ...items,
      ...lists.flatMap((path) => [`${path}&limit=100`, `${path}&limit=1&sort=-id`]),
    ]
    return reads.map((read) => ({ method: 'GET', path: read }))
  })
}

// Reads the next page, and asks with the tag of what was read.
async function readOn(session: ProofSession, exchange: Exchange): Promise<readonly Exchange[]> {
  const { request, response, caller } = exchange
  const { etag } = response.headers
  const isPlain = Object.keys(request.headers ?? {}).length === 0
  if (request.method !== 'GET' || !isPlain || !isSuccess(response)) return [exchange]
  const pages = await followPages(session, exchange, 2)
  if (etag === undefined || request.path.includes('?')) return pages
  const headers = { 'if-none-match': etag }
  return [...pages, await exchangeAs(session, caller, { ...request, headers })]
}
