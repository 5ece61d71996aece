// Stands in for `vitest` while mutants are tried: its own `expect` and `vi`, but tests are
// only collected, so that one process can run the same ones thousands of times.

import { setTimeout } from 'node:timers/promises'
import { format } from 'node:util'
import { vi as mocks } from 'vitest'

export { expect, expectTypeOf } from 'vitest'

/** The error of a test that cannot run here. */
export class Unfit extends Error {}

const stubbed = new Map()

/** As vitest's, without what asks its worker. */
export const vi = Object.assign(mocks, {
  resetModules() {
    throw new Unfit()
  },
  stubEnv(name, value) {
    stubbed.set(name, process.env[name])
    process.env[name] = value
  },
  unstubAllEnvs() {
    for (const [name, value] of stubbed) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
    stubbed.clear()
  },
  async waitFor(check) {
    for (let left = 100; ; left--) {
      try {
        return await check()
      } catch (error) {
        if (left === 0) throw error
      }
      await setTimeout(10)
    }
  },
})

let suite

/** Gives the tests that a file holds, in their order: a name, and what runs it with its hooks. */
export async function testsOf(url) {
  suite = { name: '', before: [], after: [], tests: [] }
  const { tests } = suite
  await import(url)
  return tests
}

export function describe(name, ...options) {
  const define = options.find((part) => typeof part === 'function')
  const outer = suite
  const { tests } = outer
  suite = {
    name: `${outer.name}${name} > `,
    before: [...outer.before],
    after: [...outer.after],
    tests,
  }
  define()
  suite = outer
}

describe.each =
  (table) =>
  (name, ...options) => {
    const define = options.find((part) => typeof part === 'function')
    for (const row of table) {
      const values = Array.isArray(row) ? row : [row]
      const places = name.match(/%[sdifjoO]/g)?.length ?? 0
      describe(format(name, ...values.slice(0, places)), () => define(...values))
    }
  }

// Leaves out what cannot run, also a table of it.
const skip = Object.assign(() => undefined, { each: () => () => undefined })

describe.runIf = (isRun) => (isRun ? describe : skip)

describe.skipIf = (isSkipped) => (isSkipped ? skip : describe)

export function test(name, ...rest) {
  const body = rest.find((part) => typeof part === 'function')
  const { before, after, tests, name: place } = suite
  const run = async () => {
    for (const hook of before) await hook()
    try {
      await body()
    } finally {
      for (const hook of [...endings.splice(0).reverse(), ...after]) await hook()
    }
  }
  tests.push({ name: `${place}${name}`, run })
}

test.each =
  (table) =>
  (name, ...options) => {
    const body = options.find((part) => typeof part === 'function')
    for (const given of table) {
      const row = Array.isArray(given) ? given : [given]
      const places = name.match(/%[sdifjoO]/g)?.length ?? 0
      test(format(name, ...row.slice(0, places)), () => body(...row))
    }
  }

test.for = (table) => (name, body) => {
  for (const row of table) test(format(name, ...[row].flat()), () => body(row))
}

test.skip = skip

test.runIf = (isRun) => (isRun ? test : skip)

test.skipIf = (isSkipped) => (isSkipped ? skip : test)

/** As vitest's, of a run without servers: each test of a server's engine is left out. */
export function inject(name) {
  const reason = 'Mutants are tried without servers'
  return name === 'missing' ? { postgres: reason, mariadb: reason } : {}
}

const endings = []

/** Calls a function at the end of the test that runs. */
export function onTestFinished(hook) {
  endings.push(hook)
}

export function beforeEach(hook) {
  suite.before.push(hook)
}

export function afterEach(hook) {
  suite.after.push(hook)
}

// Tests run again and again, some without the rest: objects that all share are made before the
// first, and stay.
export function beforeAll(hook) {
  let made
  suite.before.push(() => {
    made ??= hook()
    return made
  })
}

export function afterAll() {}
