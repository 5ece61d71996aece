import { describe, expect, test } from 'vitest'
import { brokenIn, checkAt } from '../check-at.ts'
import { collection, startFaultyServer } from '../faulty-server.ts'
import type { Injected } from './tools.ts'

/** Tests that the check finds each violation, and no other. */
export function describeViolations(injected: readonly Injected[], isWriting: boolean): void {
  describe('a violation', () => {
    for (const [rule, how, inject, also = []] of injected)
      test(`is found: ${how} (${rule})`, async () => {
        const server = await startFaultyServer(inject)
        try {
          const before = await server.stored()
          const outcome = await checkAt(server.url, { named: [collection], isWriting })
          const broken = brokenIn(outcome)
          expect(broken).toContain(rule)
          expect(broken.filter((id) => id !== rule && !also.includes(id))).toEqual([])
          for (const { faults } of outcome.verdicts)
            for (const { curl, message } of faults) {
              expect(curl).toMatch(/^curl -i --path-as-is /)
              expect(message).toMatch(/\.$/)
            }
          expect(await server.stored()).toEqual(before)
        } finally {
          await server.close()
        }
      })
  })
}
