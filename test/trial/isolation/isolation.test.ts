import { isolationOf } from 'nounful/conformance'
import { describe, expect, test } from 'vitest'
import { callers, tenantService } from './service.ts'

describe('a service in memory', () => {
  for (const check of isolationOf(tenantService(), callers)) test(check.name, () => check.run())
})

test('a proof without items is none', async () => {
  const refuse = () => ({ status: 403, headers: {}, body: undefined }) as const
  const checks = isolationOf(tenantService(), { ...callers, handler: refuse })
  const outcomes = await Promise.allSettled(checks.map((check) => check.run()))
  expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true)
})
