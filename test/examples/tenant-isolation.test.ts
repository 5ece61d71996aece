import { isolationOf } from 'nounful/conformance'
import { afterAll, describe, test } from 'vitest'
import type { CallerName } from '../../examples/tenants/sample.ts'
import { openSample, tokens } from '../support/tenants.ts'

const tenants = await openSample()
afterAll(() => tenants.close())

describe('no tenant notices another', () => {
  const headers = (name: CallerName): string => `authorization: Bearer ${tokens[name]}`
  const proof = isolationOf(tenants.registry, {
    as: [headers('ann'), headers('gia')],
    everything: headers('ops'),
  })
  const checks = proof.map((check) => [check.name, check] as const)
  test.each(checks)('%s', { timeout: 60_000 }, async (_, check) => {
    await check.run()
  })
})
