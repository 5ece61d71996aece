import { type CanonicalResponse, canonicalOf, maskChances, type Replacement } from './canonical.ts'
import type { ProvenCollection } from './catalog.ts'
import type { Exchange } from './exchange.ts'
import { followPages, followUp, isSafe } from './follow-up.ts'
import type { Question, QuestionFacts } from './question.ts'
import { exchangeAs, type ProofSession, removeItem, seedFresh } from './session.ts'
import { idsIn, pathOfCollection, pathOfItem, type Tree, type TreeItem } from './tree.ts'

/** The responses to a question: the first, and those of what follows from it. */
export interface AskedAnswer {
  readonly question: Question
  readonly exchanges: readonly Exchange[]
  readonly canonical: readonly CanonicalResponse[]
}

/** The answers of one world. */
export interface Transcript {
  readonly facts: QuestionFacts
  /** In the order of the questions; `undefined` for one that was left out. */
  readonly answers: readonly (AskedAnswer | undefined)[]
  /** The ids of new items, by collection, in the order of their creation. */
  readonly ids: ReadonlyMap<string, readonly (string | number)[]>
}

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
    const [asked] = answer.exchanges
    if (asked === undefined || isSafe(asked.request.method)) continue
    const after = await witness(session, facts, question.collection)
    const { name } = question.collection
    if (after.text !== seen.get(question.collection)?.text)
      session.findings.push(changeOf(name, asked, after))
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
  const exchange = await exchangeAs(session, session.other, { method: 'GET', path })
  const pages = await followPages(session, exchange, 100)
  return { collection, exchange, text: pages.map(({ response }) => response.text).join() }
}

function changeOf(collection: string, asked: Exchange, { exchange }: Witness) {
  const { method, path } = asked.request
  const isElsewhere = asked === exchange
  const message = isElsewhere
    ? `${path} changed: a write of another collection changes items of another caller.`
    : `${method} ${path} changes items of another caller.`
  const exchanges = isElsewhere || exchange === undefined ? [asked] : [asked, exchange]
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
  const fresh = isFresh ? await seedFresh(session, facts.own, collection) : undefined
  if (isFresh && fresh === undefined) return { question, exchanges: [], canonical: [] }
  if (fresh !== undefined) note(collection, fresh.id)
  const request = build(fresh ?? nothing(collection))
  // A cache that callers share would now give the other's response.
  const isWarm = request.method === 'GET' && isReal(facts.foreign)
  if (isWarm) await session.send(session.other, request)
  const exchange = await exchangeAs(session, caller ?? session.asker, request)
  const { exchanges, made } = await followUp(session, exchange, {
    question,
    fresh,
    own: facts.own,
  })
  for (const id of made) note(collection, id)
  if (fresh !== undefined) await removeItem(session, pathOfItem(fresh))
  const replacements = replacementsOf(facts, { fresh, made })
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
  { foreign, key, own, isReseeded }: QuestionFacts,
  { fresh, made }: { fresh: TreeItem | undefined; made: readonly (string | number)[] },
): readonly Replacement[] {
  const theirs = idsIn(foreign).map((id, index) => [id, `<theirs ${index}>`] as const)
  const added = made.map((id, index) => [`${id}`, `<new ${index}>`] as const)
  const reseeded = isReseeded ? idsIn(own).map((id, index) => [id, `<own ${index}>`] as const) : []
  const fresher =
    fresh === undefined ? [] : [[`${fresh.id}`, '<fresh>'] as const, ...chancesIn(fresh)]
  return [...fresher, ...added, ...reseeded, ...theirs, [key, '<key>']]
}
