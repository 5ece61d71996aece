import { describe, expect, test } from 'vitest'
import { problem } from '../../src/convention/problem.ts'
import { type FlowStep, flow } from '../../src/server/flow.ts'

interface Log {
  readonly names: readonly string[]
}

const start = (): Log => ({ names: [] })
const add = (name: string) => (log: Log) => ({ names: [...log.names, name] })
const addLater = (name: string) => (log: Log) => Promise.resolve(add(name)(log))
const idle = () => undefined
const idleLater = () => Promise.resolve(undefined)
const fault = problem('not_found')

type Row = readonly [name: string, steps: readonly (FlowStep<Log> | false)[], result: unknown]

describe('flow runs steps in order', () => {
  const rows: readonly Row[] = [
    ['no steps', [], { names: [] }],
    ['two steps', [add('a'), add('b')], { names: ['a', 'b'] }],
    ['steps without the disabled', [add('a'), false, add('b')], { names: ['a', 'b'] }],
    ['a step that changes nothing', [add('a'), idle, add('b')], { names: ['a', 'b'] }],
    ['none after a problem', [add('a'), () => fault, add('b')], fault],
  ]
  for (const [name, steps, result] of rows) {
    test(`${name}, at once`, () => {
      const waits: Log[] = []
      expect(flow<Log>(steps, (log) => waits.push(log))(start())).toEqual(result)
      expect(waits).toEqual([])
    })
  }

  test('a promise makes the result a promise', async () => {
    const waits: Log[] = []
    const steps = [add('a'), addLater('b'), idleLater, add('c'), addLater('d')]
    const result = flow<Log>(steps, (log) => waits.push({ ...log }))(start())
    expect(result).toBeInstanceOf(Promise)
    expect(await result).toEqual({ names: ['a', 'b', 'c', 'd'] })
    expect(waits.map(({ names }) => names.join(''))).toEqual(['a', 'ab', 'abc'])
  })

  test('the result is the value that the steps got', async () => {
    const log = start()
    expect(flow<Log>([add('a')], idle)(log)).toBe(log)
    expect(await flow<Log>([addLater('b')], idle)(log)).toBe(log)
    expect(log).toEqual({ names: ['a', 'b'] })
  })

  test('a promised problem ends the way', async () => {
    const run = flow<Log>([() => Promise.resolve(fault), add('a')], idle)
    expect(await run(start())).toBe(fault)
  })
})
