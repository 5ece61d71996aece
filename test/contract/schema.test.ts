import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineResource } from '../../src/contract/declare/define-resource.ts'
import type { Item } from '../../src/contract/resource/resource.ts'
import type { NotJson, StandardSchema } from '../../src/contract/schema/schema.ts'

interface Employee extends Item {
  readonly id: string
  readonly name: string
}

const schemas: Record<string, StandardSchema<unknown, Employee>> = {
  zod: z.object({ id: z.string(), name: z.string() }),
  valibot: v.object({ id: v.string(), name: v.string() }),
  arktype: type({ id: 'string', name: 'string' }),
}

for (const [library, schema] of Object.entries(schemas)) {
  describe(`a schema of ${library}`, () => {
    const { schema: declared } = defineResource('employees', { schema })

    test('gives the value it found right', async () => {
      const ann = { id: '1', name: 'Ann' }
      expect(await declared['~standard'].validate(ann)).toMatchObject({ value: ann })
    })

    test('says what is wrong and where', async () => {
      const { issues = [] } = await declared['~standard'].validate({ id: '1', name: 2 })
      const [issue] = issues
      expect(issues).toHaveLength(1)
      expect(issue?.message).toMatch(/string/)
      const [step] = issue?.path ?? []
      expect(typeof step === 'object' ? step.key : step).toBe('name')
    })
  })
}

describe('the compiler knows what JSON cannot carry', () => {
  test('nothing of what it can', () => {
    expectTypeOf<
      NotJson<{
        text: string
        number: number
        maybe?: boolean | null
        list: readonly { deep: [string, 1 | 2] }[]
        any: unknown
      }>
    >().toEqualTypeOf<never>()
  })

  test('the fields it cannot', () => {
    expectTypeOf<
      NotJson<{
        id: string
        born: Date
        big?: bigint
        map: Map<string, string>
        set: ReadonlySet<string>
        call: () => void
        sign: symbol
        deep: { list: Date[] }
        either: string | Date
      }>
    >().toEqualTypeOf<'born' | 'big' | 'map' | 'set' | 'call' | 'sign' | 'deep' | 'either'>()
  })
})
