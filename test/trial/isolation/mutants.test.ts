import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { mutants } from '../../../tools/isolation/table.ts'

// The mutants themselves take minutes. A renamed variable would end them with an error.
test('each mutant of the scope has its text once', () => {
  const lost = mutants.filter(({ file, from }) => {
    const text = readFileSync(new URL(`../../../src/${file}`, import.meta.url), 'utf8')
    return text.split(from).length !== 2
  })
  expect(lost).toEqual([])
})
