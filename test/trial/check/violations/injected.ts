import { describe, expect, test } from 'vitest'
import type { Transport } from '../../../../src/trial/check/connection.ts'
import { transportTo } from '../../../support/check-transport.ts'
import { brokenIn, checkAt } from '../check-at.ts'
import {
  collection,
  type FaultyService,
  faultyService,
  startFaultyServer,
  type Violation,
} from '../faulty-server.ts'
import type { Injected } from './tools.ts'

/** Tests that the check finds each violation, and no other. Each tenth is asked over HTTP. */
export function describeViolations(injected: readonly Injected[], isWriting: boolean): void {
  describe('a violation', () => {
    for (const [index, [rule, how, inject, also = []]] of injected.entries())
      test(`is found: ${how} (${rule})`, async () => {
        const examine = index % 10 === 0 ? overHttp : inProcess
        await examine(inject, async (service, url, transport) => {
          const before = await service.stored()
          const options = { named: [collection], isWriting }
          const outcome = await checkAt(url, options, transport)
          const broken = brokenIn(outcome)
          expect(broken).toContain(rule)
          expect(broken.filter((id) => id !== rule && !also.includes(id))).toEqual([])
          for (const { faults } of outcome.verdicts)
            for (const { curl, message } of faults) {
              expect(curl).toMatch(/^curl -i --path-as-is /)
              expect(message).toMatch(/\.$/)
            }
          expect(await service.stored()).toEqual(before)
        })
      })
  })
}

type Examine = (service: FaultyService, url: string, transport?: Transport) => Promise<void>

async function inProcess(violation: Violation, examine: Examine): Promise<void> {
  const service = faultyService(violation)
  await examine(service, 'http://faulty.test', transportTo(service.serve))
}

async function overHttp(violation: Violation, examine: Examine): Promise<void> {
  const server = await startFaultyServer(violation)
  try {
    await examine(server, server.url)
  } finally {
    await server.close()
  }
}
