import type { Row, Table } from '../requests/row.ts'
import type { Exception } from './exceptions.ts'
import type { Answer } from './wire.ts'

/** The answers to a table of requests, in its order. */
export type Answers = readonly (Answer | undefined)[]

/** The result of a table on a subject. */
export interface Compared {
  /** Answers that are those of the reference, byte for byte. */
  readonly same: number
  /** Answers that differ, as an exception says. */
  readonly own: number
  /** Unexpected differences: a line each. */
  readonly faults: readonly string[]
}

/** Status and code of an answer, as tables say it: `404 not_found`. */
function verdictOf(answer: Answer | undefined): string {
  if (answer === undefined) return 'nothing'
  const { status, body } = answer
  const code = status < 400 ? undefined : /"code":"(\w+)"/.exec(body)?.[1]
  return code === undefined ? `${status}` : `${status} ${code}`
}

/** Returns the rows whose reference differs from the verdict of their table. */
export function faultsOfReference({ rows }: Table, answers: Answers): readonly string[] {
  return rows.flatMap((row, place) => {
    const verdict = verdictOf(answers[place])
    return verdict === row[2] ? [] : [`${toText(row)}: ${verdict}, not ${row[2]}`]
  })
}

/** Compares what a subject answered with what the reference did. */
export function compare(
  { rows }: Table,
  answers: { readonly given: Answers; readonly expected: Answers },
  exception: Exception | undefined,
): Compared {
  let [same, own] = [0, 0]
  const faults: string[] = []
  for (const [place, row] of rows.entries()) {
    const [given, expected] = [answers.given[place], answers.expected[place]]
    const instead = exception?.instead[place]
    const isSame = isEqual(given, expected)
    if (isSame && instead === undefined) same++
    else if (!isSame && instead === verdictOf(given)) own++
    else faults.push(`${toText(row)}: ${difference(given, expected, instead)}`)
  }
  return { same, own, faults }
}

function isEqual(one: Answer | undefined, other: Answer | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function difference(
  given: Answer | undefined,
  expected: Answer | undefined,
  instead: string | undefined,
): string {
  if (isEqual(given, expected)) return `answered as everywhere, although ${instead} was expected`
  const verdicts = `${verdictOf(given)}, not ${instead ?? verdictOf(expected)}`
  return instead === undefined
    ? `${verdicts}\n      ${told(given)}\n      ${told(expected)}`
    : verdicts
}

function told(answer: Answer | undefined): string {
  return JSON.stringify(answer ?? null).slice(0, 600)
}

function toText([method, target, , { fields = [], body } = {}]: Row): string {
  const sent = [method, target, ...fields.map((field) => field.join(': ')), body ?? '']
  return sent.join(' ').slice(0, 160)
}
