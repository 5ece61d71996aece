import { compareWorlds, findCounted, findUnsteady } from './compare.ts'
import { findDeletions } from './deletions.ts'
import type { CallerName } from './exchange.ts'
import { interview } from './interview.ts'
import type { Bearings } from './question.ts'
import { questionsAbout } from './questions.ts'
import { checkCursors, checkSeen } from './seen.ts'
import {
  findShared,
  type IsolationFinding,
  type ProofSession,
  plantFor,
  removeItem,
  uproot,
} from './session.ts'
import { absentLike, plantTree, type Tree } from './tree.ts'

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
  const { asker, other, draftsFor, findings } = session
  const run = letters()
  const shared = await findShared(session)
  const planting = { shared, mark: `mark${run}a`, draftsOf: draftsFor }
  const own = await plantFor(session, { ...planting, caller: asker })
  if (!isPlanted(session, own, asker)) return
  const draftsOf = (collection: Parameters<typeof draftsFor>[0]) => [own.draftOf(collection) ?? {}]
  const sowing = { shared, mark: `mark${run}b`, draftsOf, caller: other }
  const owners = await findOwners(session, { ...sowing, mark: `mark${run}c` })
  const absent = await plantTree({ ...sowing, collections: session.collections }, (item) => {
    const [like] = own.of(item.collection)
    return Promise.resolve(like && { id: absentLike(like.id), stored: undefined })
  })
  const bearings = { own, mark: sowing.mark, owners }
  const ask = (foreign: Tree, key: string) => {
    const all: Bearings = { ...bearings, foreign, key }
    const questions = session.collections.flatMap((one) => questionsAbout(one, all))
    return interview(session, all, questions)
  }
  const without = await ask(absent, `key${letters()}`)
  const again = await ask(absent, `key${letters()}`)
  const key = `key${letters()}`
  const foreign = await plantFor(session, { ...sowing, key })
  if (!isPlanted(session, foreign, other)) return
  const within = await ask(foreign, key)
  findings.push(...compareWorlds({ without, again, within }))
  findings.push(...findUnsteady({ without, again }), ...findCounted({ again, within }))
  await checkSeen(session, { own, foreign })
  await checkCursors(session, { own, foreign })
  await findDeletions(session, { ...bearings, foreign, key }, planting)
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
): Promise<Readonly<Record<string, unknown>>> {
  const names = session.collections.flatMap(({ owners }) => owners)
  if (names.length === 0) return {}
  const tree = await plantFor(session, planting)
  await uproot(session, tree)
  const fields = tree.items
    .filter(({ collection }) => !collection.isShared)
    .flatMap(({ stored = {} }) => Object.entries(stored))
  return Object.fromEntries(fields.filter(([field]) => names.includes(field)))
}

function letters(): string {
  const digits = crypto.randomUUID().replaceAll('-', '').slice(0, 6)
  return digits.replace(/\d/g, (digit) => 'ghijklmnop'[Number(digit)] ?? 'q')
}
