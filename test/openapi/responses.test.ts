import fc from 'fast-check'
import { handle } from 'nounful'
import { toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { memoryPeer } from '../support/peers.ts'
import { sequence } from '../support/requests.ts'
import {
  arktypes,
  deep,
  ending,
  info,
  recursive,
  referring,
  type Specimen,
  valibots,
  versions,
} from './contracts.ts'
import { finderFor, undeclaredIn } from './declared.ts'
import { requestsTo } from './requests.ts'

const specimens: Readonly<Record<string, () => Specimen>> = {
  ending,
  versions,
  deep,
  recursive,
  arktypes,
  referring,
  valibots,
}

describe('the document declares every response', () => {
  test.each(Object.entries(specimens))('of %s', async (_, make) => {
    const { registry, options } = make()
    const document = toOpenApi(registry, { ...options, methods: 'all' })
    const find = finderFor(document)
    await fc.assert(
      fc.asyncProperty(
        fc.array(requestsTo(make()), { minLength: 5, maxLength: 20, size: 'max' }),
        async (requests) => {
          // A new one for each run: requests change its items.
          const { registry } = make()
          for (const request of requests) {
            const operation = find(request.method, request.url, request.body)
            if (operation === undefined) continue
            const answer = await handle(request, registry)
            expect(undeclaredIn(document, operation, answer), JSON.stringify(request)).toEqual([])
          }
        },
      ),
      { numRuns: 60 },
    )
  })

  test('of the companies and the gadgets', async () => {
    const peer = memoryPeer()
    const sides = [peer.companies, peer.gadgets].map((registry) =>
      toOpenApi(registry, { info, methods: 'all' }),
    )
    const found = sides.map((document) => ({ document, find: finderFor(document) }))
    await fc.assert(
      fc.asyncProperty(sequence, async (steps) => {
        const { companies, gadgets } = memoryPeer()
        for (const step of steps) {
          if ('goOn' in step) continue
          for (const [side, registry] of [companies, gadgets].entries()) {
            const { document, find } = found[side] as (typeof found)[number]
            const operation = find(step.method, step.url, step.body)
            if (operation === undefined) continue
            const answer = await handle(step, registry)
            expect(undeclaredIn(document, operation, answer), JSON.stringify(step)).toEqual([])
          }
        }
      }),
      { numRuns: 100 },
    )
  })
})
