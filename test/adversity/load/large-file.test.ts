import { closeSync, fsyncSync, openSync, statSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createTestFile, openTestFile } from '../../support/served-file.ts'

const text = 'x'.repeat(220)
const posts = Array.from({ length: 60_000 }, (_, place) => ({ id: place + 1, text, views: place }))
const comments = Array.from({ length: 300_000 }, (_, place) => ({
  id: place + 1,
  postId: 1 + (place % posts.length),
  text,
}))

test('a file of 100 MB takes a write in the time of its own', { timeout: 180_000 }, async () => {
  const file = createTestFile({ posts, comments })
  expect(statSync(file.path).size).toBeGreaterThan(100e6)
  const start = performance.now()
  const { send } = await openTestFile(file)
  const opening = performance.now() - start
  const writes: number[] = []
  const whole: number[] = []
  for (const title of ['a', 'b', 'c']) {
    whole.push(await timeOf(async () => writeWhole(`${file.path}.copy`)))
    writes.push(await timeOf(() => send('PATCH /posts/30000', { title })))
  }
  expect((await send('GET /posts/30000')).body).toMatchObject({ title: 'c' })
  if (process.env.ROUNDS !== undefined) console.log({ opening, writes, whole })
  expect(Math.min(...writes)).toBeLessThan(1.5 * Math.min(...whole))
  expect(opening).toBeLessThan(60_000)
})

// As a server would that writes the file anew.
function writeWhole(path: string): void {
  const file = openSync(path, 'w')
  writeFileSync(file, JSON.stringify({ posts, comments }, undefined, 2))
  fsyncSync(file)
  closeSync(file)
}

async function timeOf(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
