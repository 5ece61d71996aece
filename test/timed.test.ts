import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { isTimed, timed } from './support/timed.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(`${root}test`, { recursive: true, encoding: 'utf8' })
  .map((name) => `test/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts'))
// A bound on the time since a moment, by hand or by a helper.
const bound = /expect\(.*(?:now\(\) - |timeOf\(|until\w*\(|\btook\b|times\)).*\)\.toBeLess/

test('a test with a bound on time is timed', () => {
  const bounded = files.filter((file) => bound.test(readFileSync(root + file, 'utf8')))
  expect(bounded.length).toBeGreaterThan(10)
  expect(bounded.filter((file) => !isTimed(file))).toEqual([])
})

test('every timed path exists', () => {
  expect(timed.filter((path) => !existsSync(root + path))).toEqual([])
})
