import { deepStrictEqual } from 'node:assert'
import type { Contender } from './rounds.ts'
import type { Task } from './tasks.ts'

const turns = [0, 1, 2, 17, 503]
// Turns of their own, which no measurement has.
const apart = 900_000_000

/**
 * Makes sure that all give the same answers.
 *
 * @throws {AssertionError} When one does not.
 */
export async function compareAnswers(contenders: readonly Contender[], task: Task): Promise<void> {
  const { comparable = (answer: unknown) => answer } = task
  for (const [place, turn] of turns.entries()) {
    let expected: unknown
    for (const { name, ask } of contenders) {
      await task.prepare?.(apart + turn, 1)
      const answer = comparable(await ask(apart + turn))
      if (answer === undefined) throw new Error(`${name} gives nothing for "${task.name}".`)
      expected ??= answer
      deepStrictEqual(
        answer,
        expected,
        `${name} gives another answer for "${task.name}" (${place})`,
      )
    }
  }
  await task.tidy?.()
}
