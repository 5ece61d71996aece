import { isOfOwners, type ProvenCollection } from './catalog.ts'
import { compareWorlds, differencesIn, findCounted, findUnsteady, type Worlds } from './compare.ts'
import { findDeletions } from './deletions.ts'
import type { CallerName } from './exchange.ts'
import { findHidden } from './hidden.ts'
import type { QuestionFacts } from './question.ts'
import { questionsAbout } from './questions.ts'
import { checkCursors, checkSeen, checkWords } from './seen.ts'
import { checkSequences } from './sequences.ts'
import {
  findShared,
  type IsolationFinding,
  ownersOfCaller,
  type ProofSession,
  removeItem,
  removeTree,
  type Seeding,
  seedFor,
  seedFresh,
} from './session.ts'
import { askAll, type Transcript } from './transcript.ts'
import {
  absentLike,
  idIn,
  pathOfItem,
  type Seed,
  type SeedPlace,
  seedTree,
  type Tree,
} from './tree.ts'

/** The collections and callers of a proof. */
export type ProofOptions = Omit<
  ProofSession,
  'asker' | 'other' | 'findings' | 'created' | 'forbidden' | 'lasting' | 'focus'
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
  const kept = { findings, created, forbidden: new Set<string>(), lasting: new Set<string>() }
  const callers = [
    { asker: 'bob', other: 'alice' },
    { asker: 'alice', other: 'bob' },
  ] as const
  let isNumbered = false
  for (const pair of callers) {
    const session: ProofSession = { ...options, ...pair, ...kept, focus }
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
  const { asker, other, draftsFor, focus } = session
  const run = letters()
  const shared = await findShared(session)
  const ownSeeding = { shared, mark: `mark${run}a`, draftsOf: draftsFor, caller: asker }
  const own = await seedFor(session, ownSeeding)
  if (!isSeeded(session, own, asker)) return
  const draftsOf = (collection: ProvenCollection) => [own.draftOf(collection) ?? {}]
  const seeding = { shared, mark: `mark${run}b`, draftsOf, caller: other }
  const { owners, past } = await findOwners(session, { ...seeding, mark: `mark${run}c` })
  const fresh = await seedFresh(session, own, focus)
  if (fresh !== undefined) await removeItem(session, pathOfItem(fresh))
  const absent = await absentTree(session, { own, past, seeding })
  const facts = { own, past, mark: seeding.mark, owners }
  const key = `key${letters()}`
  const foreign = await findDifferences(session, { facts, absent, key }, () =>
    seedFor(session, { ...seeding, key }),
  )
  if (foreign === undefined) return
  const trees = { own, foreign, mark: seeding.mark }
  await checkSeen(session, trees)
  await checkWords(session, trees)
  await checkCursors(session, trees)
  await checkSequences(session, trees)
  await findHidden(session, own)
  if (!session.lasting.has(focus.name))
    await findDeletions(session, { ...facts, foreign, key }, { seeding: ownSeeding, absent })
}

interface AbsentSeeds {
  readonly own: Tree
  readonly past: Tree
  readonly seeding: Seeding
}

// Items that never were, of the form of the other's items.
function absentTree(session: ProofSession, { own, past, seeding }: AbsentSeeds): Promise<Tree> {
  const create = ({ collection, sent }: Seed) => {
    const [like] = own.of(collection)
    const [once] = past.of(collection)
    // A client that chooses ids asks for the same one in each world. So does an owner.
    const chosen = isOfOwners(collection) ? once?.id : idIn(sent)
    const id = chosen ?? (like && absentLike(like.id))
    return Promise.resolve(id === undefined ? undefined : { id, stored: undefined, tag: once?.tag })
  }
  // In place of the items that are there: as many, with the same values.
  const find = ({ collection, parents }: SeedPlace) =>
    Promise.resolve(
      past.of(collection).map(({ sent, id }) => {
        const place = { collection, parents, draft: undefined, sent }
        return { ...place, id: absentLike(id), stored: undefined }
      }),
    )
  const { collections, other } = session
  const ownersOf = ownersOfCaller(session, other)
  return seedTree({ ...seeding, collections, ownersOf }, { create, find })
}

interface Asking {
  readonly facts: Pick<QuestionFacts, 'own' | 'past' | 'mark' | 'owners'>
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
    const chosen = questions.map((one, at) => (only?.has(at) === false ? undefined : one))
    return askAll(session, all, chosen)
  }
  const without = await ask(absent, `key${letters()}`)
  const foreign = await createTree()
  if (!isSeeded(session, foreign, session.other)) return undefined
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
  const isAlone = collections.every((one) => one.isShared || forbidden.has(one.name))
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
