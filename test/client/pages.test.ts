import fc from 'fast-check'
import { createClient } from 'nounful/client'
import { describe, expect, test } from 'vitest'
import type { api } from '../support/first-version.ts'

interface Walk {
  readonly cursors: readonly string[]
  readonly error: unknown
}

/** Follows the pages of a server that gives a cursor after each; `undefined` ends the list. */
async function walk(
  next: (after: string | null) => string | undefined,
  after?: string,
): Promise<Walk> {
  const { v1 } = createClient<typeof api>({
    baseUrl: 'http://x.test',
    fetch: ({ url }) => {
      const cursor = next(new URL(url).searchParams.get('after'))
      const headers = cursor === undefined ? {} : { link: `</?after=${cursor}>; rel="next"` }
      return Response.json([], { headers })
    },
  })
  const cursors: string[] = []
  try {
    for await (const page of v1.employees.pages({ after })) cursors.push(`${page.next}`)
    return { cursors, error: undefined }
  } catch (error) {
    return { cursors, error }
  }
}

describe('pages', () => {
  const circles: readonly (readonly [
    name: string,
    next: Readonly<Record<string, string>>,
    after: string | undefined,
  ])[] = [
    ['that is the same again', { null: 'a', a: 'a' }, undefined],
    ['that two pages give in turn', { null: 'a', a: 'b', b: 'a' }, undefined],
    ['of three pages', { null: 'a', a: 'b', b: 'c', c: 'a' }, undefined],
    ['after a beginning', { null: 'a', a: 'b', b: 'c', c: 'd', d: 'c' }, undefined],
    ['that the caller began with', { a: 'a' }, 'a'],
    ['that leads back to where the caller began', { a: 'b', b: 'a' }, 'a'],
  ]
  test.each(circles)('end at a cursor %s', async (_, next, after) => {
    const { cursors, error } = await walk((at) => next[`${at}`], after)
    expect(`${error}`).toBe('Error: The server repeats a cursor')
    expect(cursors.length).toBeLessThan(12)
  })

  test('end at every cycle, within three times its length', async () => {
    const sizes = fc.record({ tail: fc.nat(20), circle: fc.integer({ min: 1, max: 20 }) })
    await fc.assert(
      fc.asyncProperty(sizes, async ({ tail, circle }) => {
        const { cursors, error } = await walk((at) => {
          const number = at === null ? 0 : Number(at) + 1
          return `${number < tail + circle ? number : tail}`
        })
        expect(`${error}`).toContain('repeats a cursor')
        expect(cursors.length).toBeLessThanOrEqual(3 * (tail + circle) + 1)
      }),
    )
  })

  test('of any number end', async () => {
    const { cursors, error } = await walk((at) => (at === '299' ? undefined : `${Number(at) + 1}`))
    expect([cursors.length, error]).toEqual([300, undefined])
  })
})
