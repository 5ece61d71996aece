import { isolationOf } from 'nounful/conformance'
import { describe, expect, test } from 'vitest'
import { plantLeak } from './leak.ts'
import { leaks } from './leaks.ts'
import { callers } from './service.ts'

describe('the proof finds', () => {
  test.each(leaks)('$name', { timeout: 60_000 }, async (leak) => {
    const { found = 'responses tell nothing of other callers', says } = leak
    const { registry, handler } = plantLeak(leak)
    const checks = isolationOf(registry, { ...callers, handler })
    const check = checks.find(({ name }) => name === found)
    await expect(check?.run()).rejects.toThrow(says)
  })
})

test('the table has 80 leaks at least', () => {
  expect(new Set(leaks.map(({ name }) => name)).size).toBeGreaterThanOrEqual(80)
})
