import { differencesOf } from './canonical.ts'
import type { Exchange } from './exchange.ts'
import type { AskedAnswer, Interview } from './interview.ts'
import type { IsolationFinding } from './session.ts'
import type { Tree } from './tree.ts'

/** The same questions in the world without the other's items, twice, and in the one with them. */
export interface Worlds {
  readonly without: Interview
  readonly again: Interview
  readonly within: Interview
}

/** Compares the answers of the two worlds. Ignores what differs between two equal worlds. */
export function compareWorlds({ without, again, within }: Worlds): readonly IsolationFinding[] {
  const findings: IsolationFinding[] = []
  for (const [index, answer] of without.answers.entries()) {
    const other = within.answers[index]
    if (other === undefined) continue
    const noise = again.answers[index]
    const finding = compareAnswers(answer, other, { noise, foreign: within.bearings.foreign })
    if (finding !== undefined) findings.push(finding)
  }
  return findings
}

function compareAnswers(
  one: AskedAnswer,
  other: AskedAnswer,
  { noise, foreign }: { readonly noise: AskedAnswer | undefined; readonly foreign: Tree },
): IsolationFinding | undefined {
  const length = Math.max(one.exchanges.length, other.exchanges.length)
  for (let index = 0; index < length; index++) {
    const [before, after] = [one.exchanges[index], other.exchanges[index]]
    const names = namesAt(one, other, index)
    const unsteady = new Set(noise === undefined ? [] : namesAt(one, noise, index))
    const left = names.filter((name) => !unsteady.has(name))
    if (left.length === 0) continue
    const exchanges = [before, after].filter((exchange) => exchange !== undefined)
    const { collection } = one.question
    if (isTaken(before, after, foreign))
      return { kind: 'taken', collection: collection.name, exchanges, message: takenText(after) }
    const message = `${lineOf(exchanges[0])} tells of another caller: ${left.join(', ')} differ.`
    return { kind: 'differs', collection: collection.name, exchanges, message }
  }
  return undefined
}

function namesAt(one: AskedAnswer, other: AskedAnswer, index: number): readonly string[] {
  const [before, after] = [one.canonical[index], other.canonical[index]]
  if (before === undefined && after === undefined) return []
  return before === undefined || after === undefined ? ['response'] : differencesOf(before, after)
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
  foreign: Tree,
): boolean {
  if (after?.response.status !== 409 || before?.response.status === 409) return false
  const { request, response } = after
  if (request.body === undefined) return false
  const said = JSON.stringify([request.path, request.body, response.text, response.headers])
  return !foreign.items.some(
    ({ collection, id }) => !collection.isShared && mentions(said, `${id}`),
  )
}

function mentions(text: string, id: string): boolean {
  return /^\d+$/.test(id)
    ? [...text.matchAll(/(?<![\w.-])\d+(?![\w.-])/g)].some(([found]) => found === id)
    : text.includes(id)
}

/** Finds the collections whose ids tell how many items other callers create. */
export function findCounted({
  again,
  within,
}: Omit<Worlds, 'without'>): readonly IsolationFinding[] {
  return [...within.ids].flatMap(([collection, ids]) => {
    const last = Number(again.ids.get(collection)?.at(-1))
    const next = Number(ids[0])
    if (!Number.isSafeInteger(last) || !Number.isSafeInteger(next) || next <= last + 1) return []
    const message = `The ids of ${collection} count up, and so tell how many items are new.`
    return [{ kind: 'counted' as const, collection, message, exchanges: [] }]
  })
}

/** Finds the questions that no proof can judge: two equal worlds give different answers. */
export function findUnsteady({ without, again }: Omit<Worlds, 'within'>): IsolationFinding[] {
  return without.answers.flatMap((answer, index) => {
    const noise = again.answers[index]
    const names = noise === undefined ? [] : namesAt(answer, noise, 0)
    const [first] = answer.exchanges
    if (!names.some((name) => ['status', 'body', 'response'].includes(name))) return []
    const message = `${lineOf(first)} differs without a cause, so the proof cannot judge it.`
    const exchanges = [first, noise?.exchanges[0]].filter((exchange) => exchange !== undefined)
    return [{ kind: 'unseen', collection: answer.question.collection.name, message, exchanges }]
  })
}
