import { expect, test } from 'vitest'
import type { Json } from '../../src/contract/schema/schema.ts'
import { accepts } from '../../src/sets/accepts.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'
import { readSet } from '../../src/sets/read-set.ts'
import { isSubset } from '../../src/sets/subset.ts'
import { judgeOf } from './judge.ts'

type Definition = JsonObject | boolean

/** Two JSON Schemas, and whether each value of the first is one of the second. */
export type Row = readonly [
  name: string,
  old: Definition,
  after: Definition,
  answer: 'yes' | 'no' | 'unknown',
]

/** Makes a test of each row, whose witness Ajv judges. */
export function judgedRows(rows: readonly Row[]): void {
  testRows(rows, judgeOf)
}

/** Makes a test of each row that Ajv does not read: of formats, and of older drafts. */
export function ownRows(rows: readonly Row[]): void {
  testRows(rows, (schema) => {
    const set = readSet(schema)
    return (value) => accepts(set, value)
  })
}

type Judge = (schema: Definition) => (value: Json) => boolean | undefined

function testRows(rows: readonly Row[], judge: Judge): void {
  test.each(rows)('%s', (_, old, after, expected) => {
    const answer = isSubset(old, after)
    expect(answer).toMatchObject({ answer: expected })
    if (answer.answer !== 'no') return
    const { witness } = answer
    const judged = { witness, old: judge(old)(witness), new: judge(after)(witness) }
    expect(judged).toEqual({ witness, old: true, new: false })
  })
}
