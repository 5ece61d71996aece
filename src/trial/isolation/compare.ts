import { isRecord } from '../../convention/value.ts'
import {
  type CanonicalResponse,
  differencesOf,
  type Exchange,
  type IsolationFinding,
} from './exchange.ts'
import type { AskedAnswer, Transcript } from './question.ts'
import { idsIn, type ProvenCollection, type Tree } from './tree.ts'

/** The same questions in the world without the other's items, and in the one with them. */
export interface Worlds {
  readonly without: Transcript
  readonly within: Transcript
  /** Questions that differ, asked again twice without the items. Default: all are steady. */
  readonly again?: readonly [first: Transcript, second: Transcript]
}

/** Lists the questions with different answers in two worlds. */
export function differencesIn({ without, within }: Worlds): ReadonlySet<number> {
  const differs = (answer: AskedAnswer, within: AskedAnswer | undefined): boolean =>
    within !== undefined &&
    indexesOf(answer, within).some((at) => namesAt(answer, within, at).length > 0)
  return new Set(
    without.answers.flatMap((answer, index) =>
      answer !== undefined && differs(answer, within.answers[index]) ? [index] : [],
    ),
  )
}

/** Compares the answers of the two worlds. Ignores what differs without a cause. */
export function compareWorlds(worlds: Worlds): readonly IsolationFinding[] {
  const { foreign } = worlds.within.facts
  return [...differencesIn(worlds)].flatMap((index) => {
    const [before, after] = [worlds.without.answers[index], worlds.within.answers[index]]
    if (before === undefined || after === undefined) return []
    const unsteady = (at: number) => unsteadyAt(worlds, index, at)
    return compareAnswers(before, after, { unsteady, foreign }) ?? []
  })
}

function indexesOf(before: AskedAnswer, after: AskedAnswer): readonly number[] {
  const length = Math.max(before.exchanges.length, after.exchanges.length)
  return Array.from({ length }, (_, index) => index)
}

// Differences without the items too, from time to time.
function unsteadyAt({ without, again }: Worlds, index: number, at: number): ReadonlySet<string> {
  const [first, second, third] = [without, ...(again ?? [])].map(({ answers }) => answers[index])
  if (first === undefined || second === undefined) return new Set()
  const moved = namesAt(first, second, at)
  if (third === undefined) return new Set(moved)
  const restless = namesAt(second, third, at)
  return new Set(moved.filter((name) => restless.includes(name)))
}

interface Comparing {
  readonly unsteady: (at: number) => ReadonlySet<string>
  readonly foreign: Tree
}

function compareAnswers(
  without: AskedAnswer,
  within: AskedAnswer,
  { unsteady, foreign }: Comparing,
): IsolationFinding | undefined {
  for (const index of indexesOf(without, within)) {
    const [before, after] = [without.exchanges[index], within.exchanges[index]]
    const restless = unsteady(index)
    const differing = namesAt(without, within, index).filter(
      (name) => !restless.has(name) || isTold(after, name, foreign),
    )
    if (differing.length === 0) continue
    const exchanges = [before, after].filter((exchange) => exchange !== undefined)
    const { collection } = without.question
    const cause = index === 0 ? '' : ` after ${lineOf(without.exchanges[0])}`
    if (isTaken(before, after, { foreign, collection }))
      return { kind: 'taken', collection: collection.name, exchanges, message: takenText(after) }
    const line = lineOf(exchanges[0]) + cause
    const message = `${line} tells of another caller: ${differing.join(', ')} differ.`
    return { kind: 'differs', collection: collection.name, exchanges, message }
  }
  return undefined
}

// A part that differs each time must not name an item of the other either.
function isTold(exchange: Exchange | undefined, name: string, foreign: Tree): boolean {
  if (exchange === undefined) return false
  const { request, response } = exchange
  const text = name === 'body' ? response.text : (response.headers[name] ?? '')
  const requestText = JSON.stringify(request)
  return idsIn(foreign).some((id) => mentions(text, id) && !mentions(requestText, id))
}

function namesAt(without: AskedAnswer, within: AskedAnswer, index: number): readonly string[] {
  const [before, after] = [without.canonical[index], within.canonical[index]]
  if (before === undefined && after === undefined) return []
  if (before === undefined || after === undefined) return ['response']
  const [path, otherPath] = [without, within].map(({ exchanges }) => exchanges[index]?.request.path)
  return path === otherPath
    ? differencesOf(before, after)
    : differencesOf(withoutQuery(before), withoutQuery(after))
}

const linkEnd = '>; rel'

// A link holds the ids of its query in order, and a digest of them. Both differ where the request
// names an item of its world.
function withoutQuery(response: CanonicalResponse): CanonicalResponse {
  const { link } = response.headers
  if (link === undefined) return response
  // A placeholder in the query may hold a ">" too.
  const parts = link.split(linkEnd).map((piece) => piece.replace(/\?.*$/s, '?'))
  return { ...response, headers: { ...response.headers, link: parts.join(linkEnd) } }
}

function lineOf(exchange: Exchange | undefined): string {
  return exchange === undefined
    ? 'A request'
    : `${exchange.request.method} ${exchange.request.path}`
}

function takenText(exchange: Exchange | undefined): string {
  return `${lineOf(exchange)} tells that a value is taken.`
}

// A unique value tells that it is taken. It must not tell by which item.
function isTaken(
  before: Exchange | undefined,
  after: Exchange | undefined,
  { foreign, collection }: { readonly foreign: Tree; readonly collection: ProvenCollection },
): boolean {
  if (after?.response.status !== 409 || before?.response.status === 409) return false
  const { request, response } = after
  if (request.body === undefined) return false
  const isNew = request.method === 'POST'
  const named = isNew ? referencesIn(request.body, collection) : request.body
  const sent = JSON.stringify([request.path, named])
  if (idsIn(foreign).some((id) => mentions(sent, id))) return false
  const requestText = JSON.stringify(request)
  const said = JSON.stringify([response.text, response.headers])
  return ![...idsIn(foreign), ...valuesIn(foreign)].some(
    (text) => mentions(said, text) && !mentions(requestText, text),
  )
}

// All but references can be values that must be unique, the id of a new item too.
function referencesIn(body: unknown, { references }: ProvenCollection): readonly unknown[] {
  const entries: readonly unknown[] = [body].flat()
  return entries.flatMap((entry) =>
    isRecord(entry) ? references.map(({ field }) => entry[field] ?? null) : [],
  )
}

// The texts of the other's items. A short one can stand anywhere by chance.
function valuesIn({ items }: Tree): readonly string[] {
  return items
    .flatMap(({ collection, stored }) =>
      collection.isShared
        ? []
        : Object.values(stored ?? {}).filter((value) => typeof value === 'string'),
    )
    .filter(({ length }) => length > 2)
}

function mentions(text: string, id: string): boolean {
  return /^\d+$/.test(id)
    ? [...text.matchAll(/(?<![\w.-])\d+(?![\w.-])/g)].some(([digits]) => digits === id)
    : text.includes(id)
}

/** Finds the collections whose ids tell how many items other callers create. */
export function findCounted({ without, within }: Worlds): readonly IsolationFinding[] {
  return [...within.ids].flatMap(([collection, ids]) => {
    const last = Number(without.ids.get(collection)?.at(-1))
    const next = Number(ids[0])
    if (!Number.isSafeInteger(last) || !Number.isSafeInteger(next) || next <= last + 1) return []
    const message = `The ids of ${collection} count up, and so tell how many items are new.`
    return [{ kind: 'counted' as const, collection, message, exchanges: [] }]
  })
}

/** Finds the questions that no proof can judge: equal worlds give different answers. */
export function findUnsteady(worlds: Worlds): readonly IsolationFinding[] {
  return [...differencesIn(worlds)].flatMap((index) => {
    const answer = worlds.without.answers[index]
    const names = unsteadyAt(worlds, index, 0)
    if (answer === undefined || !bodies.some((name) => names.has(name))) return []
    const [first] = answer.exchanges
    const message = `${lineOf(first)} differs without a cause, so the proof cannot judge it.`
    const repeated = worlds.again?.[0].answers[index]?.exchanges[0]
    const exchanges = [first, repeated].filter((exchange) => exchange !== undefined)
    return [{ kind: 'unseen', collection: answer.question.collection.name, message, exchanges }]
  })
}

const bodies = ['status', 'body', 'response']
