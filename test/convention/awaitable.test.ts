import { describe, expect, test } from 'vitest'
import {
  inTurn,
  isPending,
  runTurns,
  settle,
  type Turns,
  whenReady,
  within,
} from '../../src/convention/awaitable.ts'

const then = 'then'

// A promise of another library: it has `then` only.
function thenable<Value>(value: Value): PromiseLike<Value> {
  return { [then]: (...both) => Promise.resolve(value).then(...both) }
}

function fails(): never {
  throw new Error('failed')
}

const failure = new Error('failed')

describe('only what has then is waited for', () => {
  const rows = [
    [Promise.resolve(1), true],
    [thenable(1), true],
    [Object.assign(() => 1, { [then]: () => 1 }), true],
    [{ [then]: 1 }, false],
    [{}, false],
    [() => 1, false],
    [null, false],
    [undefined, false],
    ['then', false],
    [0, false],
  ] as const
  for (const [place, [value, isPromise]] of rows.entries()) {
    test(`row ${place}, of type ${typeof value}: ${isPromise}`, () => {
      expect(isPending(value)).toBe(isPromise)
    })
  }
})

describe('whenReady goes on with a value', () => {
  const double = (value: number) => value * 2

  test('at once where it is there', () => expect(whenReady(2, double)).toBe(4))

  test('when its promise is fulfilled', async () => {
    const result = whenReady(Promise.resolve(2), double)
    expect(result).toBeInstanceOf(Promise)
    expect(await result).toBe(4)
  })

  test('of a thenable as a promise', async () => {
    const result = whenReady(thenable(2), double)
    expect(result).toBeInstanceOf(Promise)
    expect(await result).toBe(4)
  })

  test('and passes a rejection on', async () => {
    await expect(whenReady(Promise.reject(failure), double)).rejects.toBe(failure)
  })

  test('and throws at once what was thrown', () => {
    expect(() => whenReady(1, fails)).toThrow(failure)
  })
})

describe('inTurn does one thing after another', () => {
  test('at once where nothing is pending', () => {
    expect(inTurn([1, 2], (value) => value * 2)).toEqual([2, 4])
  })

  test('and nothing for nothing', () => expect(inTurn([], fails)).toEqual([]))

  test('starting none before the last is done', async () => {
    const log: string[] = []
    const result = inTurn([1, 2, 3], (value) => {
      log.push(`start ${value}`)
      if (value === 1) return value
      return Promise.resolve().then(() => {
        log.push(`end ${value}`)
        return value
      })
    })
    expect(result).toBeInstanceOf(Promise)
    expect(await result).toEqual([1, 2, 3])
    expect(log).toEqual(['start 1', 'start 2', 'end 2', 'start 3', 'end 3'])
  })

  test('starting none after a rejection', async () => {
    const started: number[] = []
    const result = inTurn([1, 2, 3], (value) => {
      started.push(value)
      return value === 2 ? Promise.reject(failure) : Promise.resolve(value)
    })
    await expect(result).rejects.toBe(failure)
    expect(started).toEqual([1, 2])
  })

  test('starting none after a throw', () => {
    expect(() => inTurn([1, 2], fails)).toThrow(failure)
  })
})

describe('settle goes on whichever way it came', () => {
  const told = (value: unknown) => `next ${value}`
  const failed = (error: unknown) => `failed ${error instanceof Error ? error.message : error}`

  const rows = [
    ['a value at once', () => 1, told, 'next 1'],
    ['a throw at once', fails, told, 'failed failed'],
    ['a throw of next', () => 1, fails, 'failed failed'],
  ] as const
  for (const [name, start, next, result] of rows) {
    test(`from ${name}`, () => expect(settle<unknown, string>(start, next, failed)).toBe(result))
  }

  const later = [
    ['a promise', () => Promise.resolve(1), told, 'next 1'],
    ['a thenable', () => thenable(1), told, 'next 1'],
    ['a rejection', () => Promise.reject(failure), told, 'failed failed'],
    ['a throw of next, later', () => Promise.resolve(1), fails, 'failed failed'],
    [
      'a rejection of next, later',
      () => thenable(1),
      () => Promise.reject(failure),
      'failed failed',
    ],
  ] as const
  for (const [name, start, next, result] of later) {
    test(`from ${name}`, async () => {
      const settled = settle<unknown, string>(start, next, failed)
      expect(settled).toBeInstanceOf(Promise)
      expect(await settled).toBe(result)
    })
  }

  test('a throw of failed is thrown', () => {
    expect(() => settle(fails, told, fails)).toThrow(failure)
  })

  test('a throw of failed rejects, later', async () => {
    await expect(settle(() => Promise.reject(1), told, fails)).rejects.toThrow(failure)
  })
})

describe('within gives a promise some time', () => {
  const late = () => 'late'
  const soon = <Value>(value: Value) =>
    new Promise<Value>((resolve) => setTimeout(() => resolve(value), 20))

  test('and gives what comes in it', async () => {
    expect(await within(thenable('now'), 60_000, { late })).toBe('now')
    await expect(within(Promise.reject(failure), 60_000, { late })).rejects.toBe(failure)
  })

  test('and leaves no timer behind', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
    const before = timers().length
    await within(Promise.resolve(1), 60_000, { late: () => 2 })
    await within(Promise.reject(1), 60_000, { late: () => 2 }).catch(() => undefined)
    expect(timers()).toHaveLength(before)
  })

  test('and loses what comes after it', async () => {
    for (const begin of [() => soon('value'), () => soon(1).then(fails)]) {
      const value = begin()
      expect(await within(value, 1, { late })).toBe('late')
      await Promise.allSettled([value])
    }
  })

  test('and holds no process that others hold', async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout')
    const before = timers().length
    const value = soon('value')
    const waited = within(value, 60_000, { late, isAttended: true })
    const held = within(value, 60_000, { late })
    // One timer of the value itself, and one of the two calls.
    expect(timers()).toHaveLength(before + 2)
    expect(await Promise.all([waited, held])).toEqual(['value', 'value'])
  })

  test('or throws what it makes of that', async () => {
    await expect(within(soon(1), 1, { late: fails })).rejects.toThrow(failure)
  })
})

describe('runTurns', () => {
  function* sum(turns: number): Turns<number> {
    for (let turn = 1; turn < turns; turn++) yield
    return turns
  }

  test('returns at once what one turn computes', () => {
    expect(runTurns(sum(1))()).toBe(1)
  })

  test('returns a promise of what several turns compute', async () => {
    const run = runTurns(sum(3))
    const result = run()
    expect(isPending(result)).toBe(true)
    expect(await result).toBe(3)
    expect(run()).toBe(3)
  })

  test('shares the computation with all callers', async () => {
    let begun = 0
    function* work(): Turns<number> {
      begun++
      yield
      yield
      return begun
    }
    const run = runTurns(work())
    expect(await Promise.all([run(), run(), run()])).toEqual([1, 1, 1])
  })
})
