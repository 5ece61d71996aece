import { expect, test } from 'vitest'
import { canMount, lostWrites, writeAndKill } from '../support/file-crashes.ts'
import { createTestFile } from '../support/served-file.ts'

const notes = Array.from({ length: 2000 }, (_, place) => ({
  id: `${place}a`,
  text: 'x'.repeat(99),
}))

test.each([
  ['plain', 3],
  ['mounted', 2],
] as const)('kill -9 loses no write of a file: %s', { timeout: 60_000 }, async (mount, rounds) => {
  const file = createTestFile({ notes })
  if (mount === 'mounted' && !(await canMount(file))) return
  for (let round = 0; round < rounds; round++) {
    const acknowledged = await writeAndKill(file, mount)
    expect(acknowledged.writes.length).toBeGreaterThan(0)
    expect(await lostWrites(file, acknowledged), acknowledged.errors).toEqual([])
    expect(JSON.parse(file.read()).notes.length).toBeGreaterThanOrEqual(notes.length)
  }
})

test('two processes lose no write of a file that both serve', { timeout: 60_000 }, async () => {
  const file = createTestFile({ notes })
  const writers = [3000, 3000].map((maxTime) => writeAndKill(file, 'plain', maxTime))
  for (const acknowledged of await Promise.all(writers)) {
    expect(acknowledged.writes.length).toBeGreaterThan(0)
    expect(await lostWrites(file, acknowledged), acknowledged.errors).toEqual([])
  }
})
