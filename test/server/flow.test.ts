import { describe, expect, test } from 'vitest'
import { problem } from '../../src/convention/problem.ts'
import { flow } from '../../src/server/flow.ts'

interface Log {
  readonly names: readonly string[]
}

const initial: Log = { names: [] }
const add = (name: string) => (log: Log) => ({ names: [...log.names, name] })
const addLater = (name: string) => (log: Log) => Promise.resolve(add(name)(log))
const fault = problem('not_found')

describe('flow runs steps in order', () => {
  const rows = [
    ['no steps', [], initial],
    ['two steps', [add('a'), add('b')], { names: ['a', 'b'] }],
    ['steps without the disabled', [add('a'), false, add('b')], { names: ['a', 'b'] }],
    ['none after a problem', [add('a'), () => fault, add('b')], fault],
  ] as const
  for (const [name, steps, result] of rows) {
    test(`${name}, at once`, () => {
      const waits: Log[] = []
      expect(flow<Log>(steps, (log) => waits.push(log))(initial)).toEqual(result)
      expect(waits).toEqual([])
    })
  }

  test('a promise makes the result a promise', async () => {
    const waits: Log[] = []
    const steps = [add('a'), addLater('b'), add('c'), addLater('d')]
    const result = flow<Log>(steps, (log) => waits.push(log))(initial)
    expect(result).toBeInstanceOf(Promise)
    expect(await result).toEqual({ names: ['a', 'b', 'c', 'd'] })
    expect(waits).toEqual([{ names: ['a'] }, { names: ['a', 'b', 'c'] }])
  })

  test('a promised problem ends the way', async () => {
    const run = flow<Log>([() => Promise.resolve(fault), add('a')], () => undefined)
    expect(await run(initial)).toBe(fault)
  })
})
