import { itemPath } from '../../wire/path.ts'
import { compareWorlds, differencesIn, findCounted, findUnsteady, type Worlds } from './compare.ts'
import type { CallerName, IsolationFinding } from './exchange.ts'
import { findHidden } from './hidden.ts'
import {
  partsOf,
  plainly,
  type Question,
  type QuestionFacts,
  queryText,
  type Transcript,
} from './question.ts'
import { readQuestions } from './read-questions.ts'
import { findLinked } from './related.ts'
import { checkCursors, checkSeen, checkSequences, checkWords } from './sequences.ts'
import {
  findShared,
  isThere,
  ownersOfCaller,
  type ProofSession,
  removeItem,
  removeTree,
  type Seeding,
  seedFor,
  seedFresh,
} from './session.ts'
import { askAll } from './transcript.ts'
import {
  absentLike,
  idIn,
  isOfOwners,
  type ProvenCollection,
  pathOfCollection,
  pathOfItem,
  type Seed,
  type SeedPlace,
  seedTree,
  type Tree,
} from './tree.ts'
import {
  bulkQuestions,
  foreignItemQuestions,
  parentQuestions,
  selectionQuestions,
  writeQuestions,
} from './write-questions.ts'

/**
 * Makes all questions about a collection. The number and the order depend on the declaration only,
 * so that each has its counterpart in the other world. Writes need items that can be deleted.
 */
function questionsAbout(
  collection: ProvenCollection,
  facts: QuestionFacts,
  { isDisposable }: { readonly isDisposable: boolean },
): readonly Question[] {
  const parents = facts.ownTree.parentsOf(collection)
  if (parents === undefined) return []
  const target = { collection, path: pathOfCollection(collection, parents) }
  const reads = readQuestions(target, facts)
  if (collection.isShared) return reads
  return [
    ...reads,
    ...foreignItemQuestions(target, facts),
    ...parentQuestions(collection, facts),
    ...(isDisposable ? bulkQuestions(target, facts) : []),
    ...(isDisposable ? selectionQuestions(target, facts) : []),
    ...(isDisposable ? writeQuestions(target, facts) : []),
  ]
}

/**
 * Deletes whole collections of the asker, with and without items of the other, and compares the
 * responses. A collection at the top is deleted only if the proof may empty it.
 */
async function findDeletions(
  session: ProofSession,
  facts: QuestionFacts,
  { seeding, absent }: { readonly seeding: Seeding; readonly absent: Tree },
): Promise<void> {
  const { findings } = session
  const round = async (ownTree = facts.ownTree): Promise<Transcript> => {
    const all = { ...facts, ownTree, isReseeded: true }
    return askAll(session, all, deletionsOf(session, all))
  }
  const seeded = () => seedFor(session, seeding)
  const emptied = (ownTree: Tree): Promise<Transcript> =>
    askEmptied(session, { ...facts, ownTree, isReseeded: true })
  // The first round removes items of the asker that were there before.
  await round()
  await removeTree(session, facts.ownTree)
  const second = await seeded()
  const within = await round(second)
  const withinEmptied = await emptied(second)
  await removeTree(session, second)
  await removeTree(session, facts.foreign)
  const third = await seeded()
  const gone = (foreign: Tree): Promise<Transcript> => {
    const all = { ...facts, ownTree: third, foreign }
    return askAll(session, all, goneQuestions(session, all))
  }
  findings.push(
    ...compareWorlds({ without: await gone(absent), within: await gone(facts.foreign) }),
  )
  const without = await round(third)
  findings.push(...compareWorlds({ without: await emptied(third), within: withinEmptied }))
  await removeTree(session, third)
  findings.push(...compareWorlds({ without, within }))
}

// Own items come first in most orders. Without any, the first item would be one of the other's.
async function askEmptied(session: ProofSession, facts: QuestionFacts): Promise<Transcript> {
  const questions: (Question | undefined)[] = []
  const { focus } = session
  for (const collection of focus.ancestors.length === 0 ? [focus] : []) {
    const path = pathOfCollection(collection, [])
    const target = { collection, path }
    const { json } = await session.send(session.asker, { method: 'GET', path })
    const isEmpty = Array.isArray(json) && json.length === 0
    const queries = ['', ...partsOf(target, facts).map(queryText)]
    const reads = ['', '/count', '/last', ...queries.map((query) => `/first${query}`)]
    for (const read of reads)
      questions.push(isEmpty ? plainly(target, { method: 'GET', path: path + read }) : undefined)
  }
  return askAll(session, facts, questions)
}

// An item that another caller deleted never was.
function goneQuestions({ focus }: ProofSession, { ownTree, foreign }: QuestionFacts) {
  return [focus].flatMap((collection): readonly Question[] => {
    const [item] = foreign.of(collection)
    const parents = ownTree.parentsOf(collection)
    if (collection.isShared || item === undefined || parents === undefined) return []
    const beside = itemPath(pathOfCollection(collection, parents), item.id)
    const target = { collection, path: beside }
    return [beside, pathOfItem(item)].flatMap((path) =>
      ['GET', 'DELETE', 'PATCH'].map((method) =>
        plainly(target, { method, path, body: method === 'PATCH' ? {} : undefined }),
      ),
    )
  })
}

// Children come before their parents.
function deletionsOf(
  { collections, focus, isEmptied }: ProofSession,
  { ownTree, foreign }: QuestionFacts,
): readonly Question[] {
  // The items that reference those of the focus come after it.
  const dependents = collections.slice(collections.indexOf(focus))
  return [...dependents].reverse().flatMap((collection) => {
    const parents = ownTree.parentsOf(collection)
    if (collection.isShared || parents === undefined) return []
    // The proof could not create the items again that were there before.
    if (ownTree.draftOf(collection) === undefined) return []
    // The items below an own parent are own items.
    if (!isEmptied && parents.length === 0) return []
    const path = pathOfCollection(collection, parents)
    const target = { collection, path }
    // The number of own items is enough, whatever others own.
    const most = [0, ownTree.of(collection).length, 1000].map((most) => `max-affected=${most}`)
    const id = foreign.of(collection)[0]?.id ?? ''
    return [
      ...most.map((prefer) => plainly(target, { method: 'DELETE', path, headers: { prefer } })),
      plainly(target, { method: 'DELETE', path }),
      // A server that does not know the parameter may delete all: now nothing is left.
      plainly(target, { method: 'DELETE', path: `${path}?id=${encodeURIComponent(id)}` }),
    ]
  })
}

/** The collections and callers of a proof. */
export type ProofOptions = Omit<
  ProofSession,
  'asker' | 'neighbour' | 'findings' | 'created' | 'forbidden' | 'lasting' | 'focus'
>

/** The outcome of a proof. */
export interface ProofOutcome {
  readonly findings: readonly IsolationFinding[]
  /** The paths of items that the proof created and could not delete. */
  readonly left: readonly string[]
}

/**
 * Asks everything about a collection as one caller, with and without items of another, and compares
 * the responses. Then swaps the callers.
 */
export async function proveIsolation(
  options: ProofOptions,
  focus: ProvenCollection,
): Promise<ProofOutcome> {
  const first = await proveOnce(options, focus)
  if (first.findings.length === 0 || !first.isNumbered) return first
  // Numbers that count up meet by chance. A leak shows again, a chance does not.
  const second = await proveOnce(options, focus)
  const again = new Set(second.findings.map(formOf))
  const findings = first.findings.filter((finding) => again.has(formOf(finding)))
  return { findings, left: [...first.left, ...second.left] }
}

// The kind and the words of a finding, without ids and marks.
function formOf({ kind, message }: IsolationFinding): string {
  const words = message.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|mark\w+|\d+/g, '#')
  return `${kind} ${words}`
}

interface Proof extends ProofOutcome {
  /** Some ids are numbers. */
  readonly isNumbered: boolean
}

async function proveOnce(options: ProofOptions, focus: ProvenCollection): Promise<Proof> {
  const findings: IsolationFinding[] = []
  const created = new Map<string, CallerName>()
  const records = { findings, created, forbidden: new Set<string>(), lasting: new Set<string>() }
  const callers = [
    { asker: 'bob', neighbour: 'alice' },
    { asker: 'alice', neighbour: 'bob' },
  ] as const
  let isNumbered = false
  for (const pair of callers) {
    const session: ProofSession = { ...options, ...pair, ...records, focus }
    try {
      await proveOne(session)
    } finally {
      isNumbered ||= [...created.keys()].some((path) => /\/\d+(?:\/|$)/.test(path))
      for (const path of [...created.keys()].reverse()) await removeItem(session, path)
    }
  }
  return { findings, left: [...created.keys()], isNumbered }
}

async function proveOne(session: ProofSession): Promise<void> {
  const { asker, neighbour, draftsFor, focus } = session
  const run = letters()
  const shared = await findShared(session)
  const ownSeeding = { shared, mark: `mark${run}a`, draftsOf: draftsFor, caller: asker }
  const ownTree = await seedFor(session, ownSeeding)
  if (!isSeeded(session, ownTree, asker)) return
  const draftsOf = (collection: ProvenCollection) => [ownTree.draftOf(collection) ?? {}]
  const seeding = { shared, mark: `mark${run}b`, draftsOf, caller: neighbour }
  const { owners, past } = await findOwners(session, { ...seeding, mark: `mark${run}c` })
  const fresh = await seedFresh(session, ownTree, focus)
  if (fresh !== undefined) await removeItem(session, pathOfItem(fresh))
  const absent = await absentTree(session, { ownTree, past, seeding })
  const facts = { ownTree, past, mark: seeding.mark, owners }
  const key = `key${letters()}`
  const foreign = await findDifferences(session, { facts, absent, key }, () =>
    seedFor(session, { ...seeding, key }),
  )
  if (foreign === undefined) return
  const trees = { ownTree, foreign, mark: seeding.mark }
  await checkSeen(session, trees)
  await checkWords(session, trees)
  await checkCursors(session, trees)
  await checkSequences(session, trees)
  await findHidden(session, ownTree)
  await findLinked(session, trees)
  if (!session.lasting.has(focus.name))
    await findDeletions(session, { ...facts, foreign, key }, { seeding: ownSeeding, absent })
}

interface AbsentSeeds {
  readonly ownTree: Tree
  readonly past: Tree
  readonly seeding: Seeding
}

// Items that never were, of the form of the other's items.
function absentTree(session: ProofSession, { ownTree, past, seeding }: AbsentSeeds): Promise<Tree> {
  const create = async ({ collection, sent }: Seed) => {
    const [like] = ownTree.of(collection)
    const [once] = past.of(collection)
    // A client that chooses ids asks for the same one in each world. So does an owner.
    const chosen = isOfOwners(collection) ? once?.id : idIn(sent)
    const id = chosen ?? (like && absentLike(like.id))
    const standing = isOfOwners(collection) && once !== undefined && (await isThere(session, once))
    const item = { stored: undefined, tag: once?.tag, ...(standing && { sent: once.sent }) }
    return id === undefined ? undefined : { id, ...item }
  }
  // In place of the items that are there: as many, with the same values.
  const find = ({ collection, parents }: SeedPlace) =>
    Promise.resolve(
      past.of(collection).map(({ sent, id }) => {
        const place = { collection, parents, draft: undefined, sent }
        return { ...place, id: absentLike(id), stored: undefined }
      }),
    )
  const { collections, neighbour } = session
  const ownersOf = ownersOfCaller(session, neighbour)
  return seedTree({ ...seeding, collections, ownersOf }, { create, find })
}

interface Asking {
  readonly facts: Pick<QuestionFacts, 'ownTree' | 'past' | 'mark' | 'owners'>
  readonly absent: Tree
  readonly key: string
}

// Asks everything in both worlds. Asks again what differs, since it can differ without a cause.
async function findDifferences(
  session: ProofSession,
  { facts, absent, key }: Asking,
  createTree: () => Promise<Tree>,
): Promise<Tree | undefined> {
  const ask = (foreign: Tree, key: string, only?: ReadonlySet<number>): Promise<Transcript> => {
    const all: QuestionFacts = { ...facts, foreign, key }
    const isDisposable = !session.lasting.has(session.focus.name)
    const questions = questionsAbout(session.focus, all, { isDisposable }).filter(
      ({ caller }) => caller === undefined || session.asksNobody,
    )
    const chosen = questions.map((question, at) => (only?.has(at) === false ? undefined : question))
    return askAll(session, all, chosen)
  }
  const without = await ask(absent, `key${letters()}`)
  const foreign = await createTree()
  if (!isSeeded(session, foreign, session.neighbour)) return undefined
  const within = await ask(foreign, key)
  const differing = differencesIn({ without, within })
  const isSteady = differing.size === 0
  if (!isSteady) await removeTree(session, foreign)
  const repeat = () => ask(absent, `key${letters()}`, differing)
  const again = isSteady ? undefined : ([await repeat(), await repeat()] as const)
  const worlds: Worlds = { without, within, ...(again && { again }) }
  session.findings.push(...compareWorlds(worlds), ...findUnsteady(worlds), ...findCounted(worlds))
  return isSteady ? foreign : createTree()
}

// The items of a tree prove nothing where the server refuses to create them. A role may forbid it.
function isSeeded(session: ProofSession, tree: Tree, caller: CallerName): boolean {
  const { collections, forbidden, focus } = session
  const seeded = tree.of(focus).length
  if (focus.isShared || seeded === wanted(focus)) return true
  const { name, listMethods, ancestors } = focus
  if (seeded > 0 && tree.draftOf(focus) === undefined) return true
  const isRefused = forbidden.has(name) || !listMethods.includes('POST')
  const isAlone = collections.every(
    (collection) => collection.isShared || forbidden.has(collection.name),
  )
  if (isAlone) {
    const message = `${caller} may create no item: prove it with callers who may.`
    session.findings.push({ kind: 'unseen', collection: name, message, exchanges: [] })
  } else if (!isRefused && ancestors.every((ancestor) => tree.of({ name: ancestor }).length > 0)) {
    const message = `No items of ${caller} could be created at ${name}: pass a sample.`
    session.findings.push({ kind: 'unseen', collection: name, message, exchanges: [] })
  }
  return seeded > 0
}

function wanted(collection: ProvenCollection): number {
  return isOfOwners(collection) ? 1 : 2
}

// Creates items of the other, reads the fields that name their owner, and deletes the items again.
async function findOwners(
  session: ProofSession,
  seeding: Seeding,
): Promise<{ owners: QuestionFacts['owners']; past: Tree }> {
  const names = session.collections.flatMap(({ owners }) => owners)
  const tree = await seedFor(session, seeding)
  await removeTree(session, tree)
  const fields = tree.items
    .filter(({ collection }) => !collection.isShared)
    .flatMap(({ stored = {} }) => Object.entries(stored))
  const owners = Object.fromEntries(
    fields.filter(([field]) => field !== 'id' && names.includes(field)),
  )
  return { owners, past: tree }
}

function letters(): string {
  const digits = crypto.randomUUID().replaceAll('-', '').slice(0, 6)
  return digits.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? 'q')
}
