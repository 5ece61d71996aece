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
    const messages = await findingsOf(plantLeak(leak))
    const parts = messages.flatMap((message) => message.split(/(?=\d+ findings against )/))
    const own = parts.filter((part) => part.includes(`against "${found}"`)).join('\n')
    expect(own).toMatch(says)
  })
})

describe('the proof of hidden fields', () => {
  test('finds nothing in a correct service', async () => {
    expect(await findingsOf({ registry: hiddenService() })).toEqual([])
  })

  test.each(hiddenLeaks)('finds $name', { timeout: 60_000 }, async (leak) => {
    const messages = (await findingsOf(plantHidden(leak))).join('\n')
    expect(messages).toContain('against "hidden fields stay hidden"')
    expect(messages).toMatch(leak.says)
  })
})

interface Proven {
  readonly registry: Registry
  readonly handler?: Handler
}

async function findingsOf(proven: Proven): Promise<readonly string[]> {
  const { registry, ...options } = proven
  const messages: string[] = []
  for (const check of isolationOf(registry, { ...callers, ...options }))
    await check.run().catch(({ message }: Error) => messages.push(message))
  return messages
}

test('the table has 80 leaks at least', () => {
  expect(new Set(leaks.map(({ name }) => name)).size).toBeGreaterThanOrEqual(80)
})
