import { compareWorlds, differencesIn, findCounted, findUnsteady, type Worlds } from './compare.ts'
import { findDeletions } from './deletions.ts'
import type { CallerName } from './exchange.ts'
import { interview } from './interview.ts'
import type { Bearings } from './question.ts'
import { questionsAbout } from './questions.ts'
import { checkCursors, checkSeen, checkWords } from './seen.ts'
import { checkSequences } from './sequences.ts'
import {
  findShared,
  type IsolationFinding,
  type ProofSession,
  plantFor,
  removeItem,
  uproot,
} from './session.ts'
import { absentLike, idIn, plantTree, type Tree } from './tree.ts'

/** The collections and callers of a proof. */
export type ProofOptions = Omit<
  ProofSession,
  'asker' | 'other' | 'findings' | 'created' | 'forbidden'
>

/** The outcome of a proof. */
export interface ProofOutcome {
  readonly findings: readonly IsolationFinding[]
  /** The paths of items that the proof created and could not delete. */
  readonly left: readonly string[]
}

/**
 * Asks everything as one caller, with and without items of another, and compares the responses.
 * Then swaps the callers.
 */
export async function proveIsolation(options: ProofOptions): Promise<ProofOutcome> {
  const findings: IsolationFinding[] = []
  const created = new Map<string, CallerName>()
  const forbidden = new Set<string>()
  const callers = [
    { asker: 'bob', other: 'alice' },
    { asker: 'alice', other: 'bob' },
  ] as const
  for (const pair of callers) {
    const session: ProofSession = { ...options, ...pair, findings, created, forbidden }
    try {
      await proveOne(session)
    } finally {
      for (const path of [...created.keys()].reverse()) await removeItem(session, path)
    }
  }
  return { findings, left: [...created.keys()] }
}

async function proveOne(session: ProofSession): Promise<void> {
  const { asker, other, draftsFor } = session
  const run = letters()
  const shared = await findShared(session)
  const planting = { shared, mark: `mark${run}a`, draftsOf: draftsFor }
  const own = await plantFor(session, { ...planting, caller: asker })
  if (!isPlanted(session, own, asker)) return
  const draftsOf = (collection: Parameters<typeof draftsFor>[0]) => [own.draftOf(collection) ?? {}]
  const sowing = { shared, mark: `mark${run}b`, draftsOf, caller: other }
  const { owners, past } = await findOwners(session, { ...sowing, mark: `mark${run}c` })
  const absent = await plantTree({ ...sowing, collections: session.collections }, (item) => {
    const [like] = own.of(item.collection)
    const tag = past.of(item.collection)[0]?.tag
    // A client that chooses ids asks for the same one in each world.
    const chosen = like?.id === idIn(like?.sent) ? idIn(item.sent) : undefined
    return Promise.resolve(like && { id: chosen ?? absentLike(like.id), stored: undefined, tag })
  })
  const bearings = { own, mark: sowing.mark, owners }
  const key = `key${letters()}`
  const foreign = await findDifferences(session, { bearings, absent, key }, () =>
    plantFor(session, { ...sowing, key }),
  )
  if (foreign === undefined) return
  const trees = { own, foreign, mark: sowing.mark }
  await checkSeen(session, trees)
  await checkWords(session, trees)
  await checkCursors(session, trees)
  await checkSequences(session, trees)
  await findDeletions(session, { ...bearings, foreign, key }, { planting, absent })
}

interface Asking {
  readonly bearings: Pick<Bearings, 'own' | 'mark' | 'owners'>
  readonly absent: Tree
  readonly key: string
}

// Asks everything in both worlds. Asks again what differs, since it can differ without a cause.
async function findDifferences(
  session: ProofSession,
  { bearings, absent, key }: Asking,
  plant: () => Promise<Tree>,
): Promise<Tree | undefined> {
  const ask = (foreign: Tree, key: string, only?: ReadonlySet<number>) => {
    const all: Bearings = { ...bearings, foreign, key }
    const questions = session.collections
      .flatMap((one) => questionsAbout(one, all))
      .filter(({ caller }) => caller === undefined || session.asksNobody)
    const asked = questions.map((one, at) => (only?.has(at) === false ? undefined : one))
    return interview(session, all, asked)
  }
  const without = await ask(absent, `key${letters()}`)
  const foreign = await plant()
  if (!isPlanted(session, foreign, session.other)) return undefined
  const within = await ask(foreign, key)
  const differing = differencesIn({ without, within })
  const isSteady = differing.size === 0
  if (!isSteady) await uproot(session, foreign)
  const repeat = () => ask(absent, `key${letters()}`, differing)
  const again = isSteady ? undefined : ([await repeat(), await repeat()] as const)
  const worlds: Worlds = { without, within, ...(again && { again }) }
  session.findings.push(...compareWorlds(worlds), ...findUnsteady(worlds), ...findCounted(worlds))
  return isSteady ? foreign : plant()
}

// The items of a tree prove nothing where the server refuses to create them. A role may forbid it.
function isPlanted(session: ProofSession, tree: Tree, caller: CallerName): boolean {
  const { collections, forbidden } = session
  const isCreatable = collections.filter((one) => !one.isShared && !forbidden.has(one.name))
  if (isCreatable.length === 0) {
    const message = `${caller} may create no item: prove it with callers who may.`
    session.findings.push({ kind: 'unseen', collection: '/', message, exchanges: [] })
  }
  const empty = isCreatable.filter((collection) => tree.of(collection).length < 2)
  for (const { name } of empty) {
    const message = `No items of ${caller} could be created at ${name}: pass a sample.`
    session.findings.push({ kind: 'unseen', collection: name, message, exchanges: [] })
  }
  return empty.length < isCreatable.length
}

// Creates items of the other, reads the fields that name their owner, and deletes the items again.
async function findOwners(
  session: ProofSession,
  planting: Parameters<typeof plantFor>[1],
): Promise<{ owners: Bearings['owners']; past: Tree }> {
  const names = session.collections.flatMap(({ owners }) => owners)
  const tree = await plantFor(session, planting)
  await uproot(session, tree)
  const fields = tree.items
    .filter(({ collection }) => !collection.isShared)
    .flatMap(({ stored = {} }) => Object.entries(stored))
  const owners = Object.fromEntries(fields.filter(([field]) => names.includes(field)))
  return { owners, past: tree }
}

function letters(): string {
  const digits = crypto.randomUUID().replaceAll('-', '').slice(0, 6)
  return digits.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? 'q')
}
