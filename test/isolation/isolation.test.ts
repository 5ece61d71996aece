import { isolationOf } from 'nounful/conformance'
import { describe, test } from 'vitest'
import { callers, tenantService } from './service.ts'

describe('a service in memory', () => {
  for (const check of isolationOf(tenantService(), callers)) test(check.name, () => check.run())
})
