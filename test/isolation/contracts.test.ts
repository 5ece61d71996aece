import { isolationOf } from 'nounful/conformance'
import { describe, expect, test } from 'vitest'
import {
  type ContractFeature,
  contractFeatures,
  featurePairs,
  serviceWith,
} from '../support/feature-contracts.ts'
import { callers } from './service.ts'

const names = Object.keys(contractFeatures) as ContractFeature[]

// A storage with one key for all owners tells that an id is taken. The declaration accepts it.
const gaps = { 'conflicts tell of no taken value': 'clients choose ids of one key' }

async function findingsOf(features: readonly ContractFeature[]): Promise<readonly string[]> {
  const options = features.includes('ids of clients') ? { ...callers, gaps } : callers
  const messages: string[] = []
  for (const check of isolationOf(serviceWith(features), options))
    await check.run().catch(({ message }: Error) => messages.push(message.slice(0, 2000)))
  return messages
}

describe('a correct contract proves isolated', () => {
  for (const name of names) {
    test(`with ${name}, each time`, { timeout: 60_000 }, async () => {
      for (let round = 0; round < 3; round++) expect(await findingsOf([name])).toEqual([])
    })
  }

  for (const pair of featurePairs()) {
    test(`with ${pair.join(' and ')}`, { timeout: 60_000 }, async () => {
      expect(await findingsOf(pair)).toEqual([])
    })
  }
})
