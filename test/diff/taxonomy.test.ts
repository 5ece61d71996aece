import { describe, expect, test } from 'vitest'
import { ruleGroups, ruleOf } from '../../src/diff/rules.ts'
import { changesOf } from './contracts.ts'
import { itemPairs, requestPairs, rulePairs } from './rule-pairs.ts'

const pairs = [...rulePairs, ...requestPairs, ...itemPairs]

describe.each(pairs)('%s', (rule, old, after) => {
  const row = ruleOf(rule)
  const changes = changesOf(old, after)

  test('is found', () => {
    expect(changes.map((change) => change.rule)).toContain(rule)
  })

  test('is seen from the other side', () => {
    const back = changesOf(after, old)
    const mirror = row?.mirror
    if (typeof mirror === 'string') expect(back.map((change) => change.rule)).toContain(mirror)
    else expect(back.length).toBeGreaterThan(0)
  })

  test('comes alone from neither side', () => {
    expect(changesOf(old, old)).toEqual([])
    expect(changesOf(after, after)).toEqual([])
  })

  test('has a witness if it breaks requests', () => {
    const silent = changes.filter(
      (change) =>
        change.verdict === 'breaking' &&
        ruleOf(change.rule)?.direction === 'request' &&
        change.witness === undefined,
    )
    // The one fact about two sides of a view needs no request of its own.
    const queries = ['view-order-lost', 'view-search-lost', 'view-count-lost']
    expect(silent.map((change) => change.rule).filter((id) => !queries.includes(id))).toEqual([])
  })
})

// Only the sets of the schemas tell them, or only OpenAPI documents.
const elsewhere = [
  'challenge-changed',
  'request-narrowed',
  'request-widened',
  'request-changed',
  'item-widened',
  'item-narrowed',
  'item-changed',
]

test('each rule has two contracts that show it', () => {
  const shown = new Set(pairs.flatMap(([rule]) => [rule, ruleOf(rule)?.mirror]))
  const missing = ruleGroups
    .flatMap(({ rows }) => rows)
    // Tables of pairs of documents hold the rules of documents: test/diff/openapi.
    .filter(({ see }) => see !== 'document')
    .filter(({ id }) => !shown.has(id) && !elsewhere.includes(id))
  expect(missing.map(({ id }) => id)).toEqual([])
})

test('each rule that is found has a row', () => {
  const found = pairs.flatMap(([, old, after]) => [
    ...changesOf(old, after),
    ...changesOf(after, old),
  ])
  expect([...new Set(found.map(({ rule }) => rule))].filter((id) => !ruleOf(id))).toEqual([])
})
