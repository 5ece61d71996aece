import { defineApi, defineResource, defineView, type StandardSchema } from 'nounful'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ContractChange } from '../../src/diff/change.ts'
import { compareSnapshots } from '../../src/diff/compare/snapshots.ts'
import { confirmChanges } from '../../src/diff/confirm.ts'
import { snapshotOf } from '../../src/diff/take.ts'
import { options } from './contracts.ts'

const id = z.string()
const told = (json: object) => ({
  jsonSchema: { input: () => json, output: () => json },
})

/** A validator that says one thing and does another. */
function saying(json: object, validate: StandardSchema['~standard']['validate']) {
  return {
    '~standard': { version: 1 as const, vendor: 'own', validate, ...told(json) },
  } as StandardSchema<unknown, { id: string }>
}

function apiOf(create: StandardSchema<unknown, object>) {
  const schema = z.object({ id, text: z.string().optional() })
  return defineApi({ v1: { '/notes': defineResource('notes', { schema, create }) } })
}

async function changesBetween(
  old: ReturnType<typeof apiOf>,
  after: ReturnType<typeof apiOf>,
): Promise<readonly ContractChange[]> {
  const [one, two] = [old, after].map((api) => snapshotOf(api, { nounful: '1.0.0' }))
  if (one === undefined || two === undefined) return []
  return confirmChanges(compareSnapshots(one, two, options), after)
}

const long = z.object({ text: z.string().max(80).optional() })
const short = z.object({ text: z.string().max(60).optional() })
const shortJson = {
  type: 'object',
  properties: { text: { type: 'string', maxLength: 60 } },
}

const cases: readonly (readonly [
  string,
  StandardSchema<unknown, object>,
  ContractChange['verdict'],
])[] = [
  ['refuses the body', short, 'breaking'],
  ['takes the body', saying(shortJson, (value) => ({ value: value as { id: string } })), 'depends'],
  [
    'takes the body later',
    saying(shortJson, (value) => Promise.resolve({ value: value as { id: string } })),
    'depends',
  ],
  [
    'refuses the body later',
    saying(shortJson, () => Promise.resolve({ issues: [{ message: 'no' }] })),
    'breaking',
  ],
  [
    'throws',
    saying(shortJson, () => {
      throw new Error('broken')
    }),
    'depends',
  ],
]

describe('a break is one if the new validator', () => {
  test.each(cases)('%s', async (_, create, verdict) => {
    const changes = await changesBetween(apiOf(long), apiOf(create))
    const lowered = changes.filter(({ rule }) => rule === 'request-max-length-lowered')
    expect(lowered.map((change) => change.verdict)).toEqual([verdict, verdict])
    expect(
      lowered.every(({ because }) => (because === undefined) === (verdict === 'breaking')),
    ).toBe(true)
  })
})

describe('a field that was removed', () => {
  test('is lost if the validator drops it', async () => {
    const changes = await changesBetween(apiOf(long), apiOf(z.object({})))
    expect(changes.filter(({ verdict }) => verdict === 'breaking').map(({ rule }) => rule)).toEqual(
      ['request-field-removed', 'request-field-removed'],
    )
  })

  test('is not lost if the validator keeps it', async () => {
    const kept = saying({ type: 'object', properties: {} }, (value) => ({
      value: value as { id: string },
    }))
    const changes = await changesBetween(apiOf(long), apiOf(kept))
    expect(changes.map(({ verdict }) => verdict)).not.toContain('breaking')
  })
})

describe('a field that the path gives', () => {
  const Company = z.object({ id })
  const companies = defineResource('companies', {
    schema: Company,
    create: Company.omit({ id: true }),
  })
  const nested = (text: z.ZodType<string>) => {
    const schema = z.object({ id, company_id: id, text })
    const notes = defineResource('notes', { schema, create: schema.omit({ id: true }) })
    return defineApi({ v1: { '/companies': companies, '/companies/:company_id/notes': notes } })
  }

  test('is put into the body that is asked about', async () => {
    const [old, after] = [nested(z.string()), nested(z.string().max(5))]
    const [one, two] = [old, after].map((api) => snapshotOf(api, { nounful: '1.0.0' }))
    if (one === undefined || two === undefined) throw new Error('no snapshots')
    const changes = await confirmChanges(compareSnapshots(one, two, options), after)
    const breaking = changes.filter(({ verdict }) => verdict === 'breaking')
    expect(breaking.map(({ rule }) => rule)).toEqual([
      'request-max-length-lowered',
      'request-max-length-lowered',
    ])
  })
})

describe('a view', () => {
  const versionsOf = (text: z.ZodType<string>) => {
    const Stored = z.object({ id, text })
    const stored = defineResource('notes', { schema: Stored, create: Stored.omit({ id: true }) })
    const Old = z.object({ id, words: z.string() })
    const old = defineView('notes_v1', stored, {
      schema: Old,
      create: Old.omit({ id: true }),
      fields: { words: 'text' },
    })
    return defineApi({ v1: { '/notes': old } })
  }

  test('narrows if its source resource refuses the value', async () => {
    const [old, after] = [versionsOf(z.string()), versionsOf(z.string().max(5))]
    const [one, two] = [old, after].map((api) => snapshotOf(api, { nounful: '1.0.0' }))
    if (one === undefined || two === undefined) throw new Error('no snapshots')
    const changes = await confirmChanges(compareSnapshots(one, two, options), after)
    const narrows = changes.filter(({ rule }) => rule === 'view-narrows')
    expect(narrows).toMatchObject([
      { verdict: 'breaking', witness: { method: 'POST', body: { words: 'aaaaaa' } } },
      { verdict: 'breaking', witness: { method: 'PUT', target: '/v1/notes/7' } },
    ])
  })
})
