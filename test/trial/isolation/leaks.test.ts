import type { Registry } from 'nounful'
import { isolationOf } from 'nounful/conformance'
import { describe, expect, test } from 'vitest'
import { type Handler, plantLeak } from './leak.ts'
import { leaks } from './leaks.ts'
import { hiddenLeaks, hiddenService, plantHidden } from './leaks-hidden.ts'
import { callers } from './service.ts'

describe('the proof finds', () => {
  test.each(leaks)('$name', { timeout: 60_000 }, async (leak) => {
    const { found = 'responses tell nothing of other callers', says } = leak
    const findings: string[] = []
    // The proof of each collection costs seconds, and one that finds the leak is enough.
    for await (const message of findingsOf(plantLeak(leak))) {
      const parts = message.split(/(?=\d+ findings against )/)
      findings.push(...parts.filter((part) => part.includes(`against "${found}"`)))
      if (says.test(findings.join('\n'))) break
    }
    expect(findings.join('\n')).toMatch(says)
  })
})

describe('the proof of hidden fields', () => {
  test('finds nothing in a correct service', { timeout: 60_000 }, async () => {
    expect(await allFindingsOf({ registry: hiddenService() })).toEqual([])
  })

  test.each(hiddenLeaks)('finds $name', { timeout: 60_000 }, async (leak) => {
    const messages = (await allFindingsOf(plantHidden(leak))).join('\n')
    expect(messages).toContain('against "hidden fields stay hidden"')
    expect(messages).toMatch(leak.says)
  })
})

interface Proven {
  readonly registry: Registry
  readonly handler?: Handler
}

/** Proves one collection after the other, and gives the message of each that leaks. */
async function* findingsOf({ registry, ...options }: Proven): AsyncGenerator<string> {
  for (const check of isolationOf(registry, { ...callers, ...options })) {
    const failure = await check.run().then(
      () => undefined,
      ({ message }: Error) => message,
    )
    if (failure !== undefined) yield failure
  }
}

async function allFindingsOf(proven: Proven): Promise<readonly string[]> {
  const messages: string[] = []
  for await (const message of findingsOf(proven)) messages.push(message)
  return messages
}

test('the table has 95 leaks at least', () => {
  expect(new Set(leaks.map(({ name }) => name)).size).toBeGreaterThanOrEqual(95)
})
