import { type } from 'arktype'
import * as v from 'valibot'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import * as mini from 'zod/mini'
import * as z3 from 'zod/v3'
import type { StandardSchema } from '../../src/contract/schema/schema.ts'
import { validateBy, validateNow } from '../../src/contract/schema/validate.ts'
import { isPending } from '../../src/convention/awaitable.ts'
import { watchProcess } from '../support/world.ts'

const strays = watchProcess()
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 5))
  expect(strays.splice(0)).toEqual([])
})

let calls = 0
const fails = async (): Promise<never> => {
  calls++
  throw new Error('away')
}
const waits = async (): Promise<boolean> => {
  calls++
  return true
}
const refuses = async (): Promise<boolean> => {
  calls++
  return false
}
const throws = (): never => {
  throw new Error('away')
}

interface Row {
  /** The schemas, by a check that waits. The numbers are the calls of the check. */
  readonly of: (check: () => Promise<boolean>) => StandardSchema
  readonly value: unknown
  readonly calls?: number
}

type Node = { text: string; next?: Node | undefined }

function nodeOf(check: () => Promise<boolean>): z.ZodType<Node> {
  const node: z.ZodType<Node> = z.lazy(() =>
    z.object({ text: z.string().refine(check), next: node.optional() }),
  )
  return node
}

const a = { a: 'x' }
const ab = { a: 'x', b: 'y' }
// biome-ignore format: a row stays a line
const rows: Readonly<Record<string, Row>> = {
  'a refine of zod': { of: (check) => z.object({ a: z.string().refine(check) }), value: a },
  'a superRefine of zod': { of: (check) => z.object({ a: z.string().superRefine(async (_, context) => { if (!(await check())) context.addIssue('no') }) }), value: a },
  'a check of zod': { of: (check) => z.object({ a: z.string().check(async (context) => { if (!(await check())) context.issues.push({ code: 'custom', message: 'no', input: context.value }) }) }), value: a },
  'a refine of a whole item': { of: (check) => z.object({ a: z.string() }).refine(check), value: a },
  'two refines of a field': { of: (check) => z.object({ a: z.string().refine(check).refine(check) }), value: a, calls: 2 },
  'two refines of an item': { of: (check) => z.object({ a: z.string() }).refine(check).refine(check), value: a, calls: 2 },
  'refines of two fields': { of: (check) => z.object({ a: z.string().refine(check), b: z.string().refine(check) }), value: ab, calls: 2 },
  'a refine in an array': { of: (check) => z.object({ a: z.array(z.string().refine(check)) }), value: { a: ['x', 'y'] }, calls: 2 },
  'a refine in a record': { of: (check) => z.object({ a: z.record(z.string(), z.string().refine(check)) }), value: { a: { k: 'x' } } },
  'a refine in a tuple': { of: (check) => z.object({ a: z.tuple([z.string().refine(check)]) }), value: { a: ['x'] } },
  'a refine of an optional': { of: (check) => z.object({ a: z.string().refine(check).optional() }), value: a },
  'a refine of an intersection': { of: (check) => z.object({ a: z.string() }).and(z.object({ b: z.string().refine(check) })), value: ab },
  'a refine in a recursive schema': { of: nodeOf, value: { text: 'x', next: { text: 'y' } }, calls: 2 },
  'a refine before a transform': { of: (check) => z.object({ a: z.string().refine(check).transform((text) => text) }), value: a },
  'a custom schema of zod': { of: (check) => z.object({ a: z.custom<string>(check) }), value: a },
  'a compiled schema of zod': { of: (check) => z.compile(z.object({ a: z.string().refine(check) })), value: a },
  'zod mini': { of: (check) => mini.object({ a: mini.string().check(mini.refine(check)) }), value: a },
  'a refine of zod 3': { of: (check) => z3.object({ a: z3.string().refine(check) }), value: a },
  'refines of two fields of zod 3': { of: (check) => z3.object({ a: z3.string().refine(check), b: z3.string().refine(check) }), value: ab, calls: 2 },
  'a check of valibot': { of: (check) => v.objectAsync({ a: v.pipeAsync(v.string(), v.checkAsync(check)) }), value: a },
  'checks of two fields of valibot': { of: (check) => v.objectAsync({ a: v.pipeAsync(v.string(), v.checkAsync(check)), b: v.pipeAsync(v.string(), v.checkAsync(check)) }), value: ab, calls: 2 },
  'a schema by hand': { of: (check) => ({ '~standard': { version: 1, vendor: 'hand', validate: async (value) => (await check()) ? { value } : { issues: [{ message: 'no' }] } } }), value: a },
}

describe.each(Object.entries(rows))('%s that waits', (_, { of, value, calls: times = 1 }) => {
  test('rejects once', async () => {
    for (const schema of [of(fails), of(fails)]) {
      calls = 0
      await expect(validateBy(schema, value)).rejects.toThrow('away')
      await new Promise(setImmediate)
      expect(calls).toBeLessThanOrEqual(times)
      await expect(validateBy(schema, value)).rejects.toThrow('away')
    }
  })
  test('checks each value once', async () => {
    for (const [check, isTaken] of [
      [waits, true],
      [refuses, false],
    ] as const) {
      const schema = of(check)
      for (let round = 0; round < 2; round++) {
        calls = 0
        const result = await validateBy(schema, value)
        expect(result.issues === undefined).toBe(isTaken)
        expect(calls).toBe(times)
      }
    }
  })
})

// biome-ignore format: a row stays a line
const droppers: Readonly<Record<string, readonly [schema: StandardSchema, value: unknown]>> = {
  'beside a check that throws': [z.object({ a: z.string().refine(fails), b: z.string().refine(throws) }), ab],
  'before a check that throws': [z.object({ a: z.string().refine(fails).refine(throws) }), a],
  'beside a transform that throws': [z.object({ a: z.string().refine(fails), b: z.string().transform(throws) }), ab],
  'of an asynchronous transform': [z.object({ a: z.string().transform(fails) }), a],
  'of two transforms': [z.object({ a: z.string().transform(fails), b: z.string().transform(fails) }), ab],
  'of a preprocess': [z.object({ a: z.preprocess(fails, z.string()) }), a],
  'of a codec': [z.object({ a: z.codec(z.string(), z.string(), { decode: fails, encode: (text) => text }) }), a],
  'of zod 3 in a transform': [z3.object({ a: z3.string().transform(fails), b: z3.string().transform(fails) }), ab],
  'of a morph of arktype': [type({ a: type('string').pipe(fails) }), a],
  'of a morph of a whole item': [type({ a: 'string' }).pipe(fails), a],
}

test.each(Object.entries(droppers))(
  'a rejection %s stays with its caller',
  async (_, [schema, value]) => {
    for (let round = 0; round < 2; round++) {
      await expect((async () => validateBy(schema, value))()).rejects.toThrow('away')
    }
  },
)

test('a dropped alternative that fails does no harm', () => {
  const schema = z.union([z.object({ a: z.string().refine(fails) }), z.object({ a: z.string() })])
  expect(validateBy(schema, a)).toEqual({ value: a })
})

// biome-ignore format: a row stays a line
const ready: Readonly<
  Record<string, readonly [schema: StandardSchema, value: unknown, result: unknown]>
> = {
  'a plain object': [z.object({ a: z.string() }), a, a],
  'a built-in transform': [z.object({ a: z.string().trim() }), { a: ' x ' }, a],
  'a refine': [z.object({ a: z.string().refine(() => true) }), a, a],
  'a transform': [z.object({ a: z.string().transform((text) => text.trim()) }), { a: ' x ' }, a],
  'a pipe': [z.object({ a: z.string().transform(Number).pipe(z.number()) }), { a: '7' }, { a: 7 }],
  'a codec': [z.object({ a: z.codec(z.string(), z.number(), { decode: Number, encode: String }) }), { a: '7' }, { a: 7 }],
  'a check that is not reached': [z.object({ a: z.string().refine(waits).optional() }), {}, {}],
  'a compiled schema': [z.compile(z.object({ a: z.string().transform((text) => text.trim()) })), { a: ' x ' }, a],
  'a recursive schema': [nodeOf(waits).optional(), undefined, undefined],
  'zod 3': [z3.object({ a: z3.string() }), a, a],
  'arktype': [type({ a: 'string' }), a, a],
  'a morph of arktype': [type({ a: 'string.trim', b: 'null | string[] = null' }), { a: ' x ' }, { a: 'x', b: null }],
  'valibot': [v.object({ a: v.string() }), a, a],
}

describe('a validator answers at once', () => {
  test.each(Object.entries(ready))('%s', (_, [schema, value, result]) => {
    for (let round = 0; round < 2; round++)
      expect(validateBy(schema, value)).toMatchObject({ value: result })
  })
  test.each(Object.entries(ready))('with the issues of %s', (_, [schema]) => {
    const result = validateBy(schema, 7)
    expect(isPending(result)).toBe(false)
    expect(Object(result).issues).not.toEqual([])
  })
})

test('issues keep the words of a schema with functions', async () => {
  const schema = z.object({ a: z.string('no text').refine(waits, 'no luck') })
  expect(validateBy(schema, { a: 7 })).toEqual(schema['~standard'].validate({ a: 7 }))
})

test('a schema without an end may wait', async () => {
  const endless = (): z.ZodType => z.lazy(() => z.object({ next: endless().optional() }))
  expect(validateBy(endless(), {})).toEqual({ value: {} })
})

test('a promise in a value of arktype is awaited', async () => {
  const text = type('string').pipe(async (text) => [text, null])
  const schema = type({ a: text, b: { c: text } })
  const value = { a: 'x', b: { c: 'y' } }
  expect(await validateBy(schema, value)).toEqual({
    value: { a: ['x', null], b: { c: ['y', null] } },
  })
  expect(Object(await validateBy(schema, 7)).issues).toHaveLength(1)
})

test('a check runs as before for its author', async () => {
  const schema = z.object({ a: z.string().refine(throws), b: z.string().transform(waits) })
  validateNow(schema, {})
  expect(() => schema.shape.a.parse('x')).toThrow('away')
  expect(await schema.shape.b.parseAsync('x')).toBe(true)
})

test('a result that waits is no result now', () => {
  expect(validateNow(z.string().refine(fails), 'x')).toBeUndefined()
  expect(validateNow(z.string(), 'x')).toEqual({ value: 'x' })
})
