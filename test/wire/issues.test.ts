import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { issuesOfSchema } from '../../src/wire/issues.ts'

const text = z.string()
const card = z.object({ kind: z.literal('card'), digits: text, name: text })
const iban = z.object({ kind: z.literal('iban'), iban: text, owner: z.object({ name: text }) })
const payment = z.union([card, iban])

const judged = {
  pathFields: {},
  isNowhere: false,
  at: [],
  most: 50,
  messages: 'core',
  hidden: [],
} as const

describe('a union tells of the nearest alternative', () => {
  // biome-ignore format: a row stays a line
  const rows: [body: object, pointers: string[]][] = [
    [{ kind: 'card', digits: 7, name: 'a' },              ['/digits']],
    [{ kind: 'iban', iban: 7, owner: { name: 7 } },       ['/iban', '/owner/name']],
    [{ kind: 'iban', iban: 'x', owner: { name: null } },  ['/owner/name']],
    [{ kind: 'iban', digits: 'x', name: 'a' },            ['/iban', '/owner']],
    [{ kind: 'cash' },                                    ['']],
  ]
  test.each(rows)('%j: %j', (body, pointers) => {
    const { error } = payment.safeParse(body)
    const issues = issuesOfSchema(error?.issues ?? [], { ...judged, schema: payment, body })
    expect(issues.map(({ pointer }) => pointer)).toEqual(pointers)
  })

  test('without a JSON Schema too', () => {
    const { version, vendor, validate } = payment['~standard']
    const schema = { '~standard': { version, vendor, validate } }
    const body = { kind: 'iban', iban: 7, owner: { name: 'a' } }
    const { error } = payment.safeParse(body)
    const issues = issuesOfSchema(error?.issues ?? [], { ...judged, schema, body })
    expect(issues.map(({ pointer }) => pointer)).toEqual(['/iban'])
  })
})
