import { expect, test } from 'vitest'
import { canMount, lostWrites, writeAndKill } from '../../support/file-crashes.ts'
import { createTestFile } from '../../support/served-file.ts'
import { rounds } from '../../support/service.ts'

const kills = rounds(25)
const notes = Array.from({ length: 5000 }, (_, place) => ({
  id: `${place}a`,
  text: 'x'.repeat(99),
}))

test.each(['plain', 'mounted'] as const)(
  'a file that is killed while it is written has every acknowledged write: %s',
  { timeout: 20_000 + kills * 6_000 },
  async (mount) => {
    const file = createTestFile({ notes })
    if (mount === 'mounted' && !(await canMount(file))) return
    for (let round = 0; round < kills; round++) {
      const acknowledged = await writeAndKill(file, mount)
      expect(await lostWrites(file, acknowledged), acknowledged.errors).toEqual([])
      expect(JSON.parse(file.read()).notes.length).toBeGreaterThanOrEqual(notes.length)
    }
  },
)
