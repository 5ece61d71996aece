// Runs the tests within the process that Stryker keeps, each in milliseconds: its runner for vitest
// starts a worker for each mutant, which takes a hundred times as long.
import { globSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import { INSTRUMENTER_CONSTANTS } from '@stryker-mutator/api/core'
import { commonTokens, declareClassPlugin, PluginKind } from '@stryker-mutator/api/plugin'
import {
  DryRunStatus,
  determineHitLimitReached,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner'

globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {}
const instrumented = globalThis[INSTRUMENTER_CONSTANTS.NAMESPACE]

class InProcess {
  static inject = [commonTokens.options]
  #files
  #tests

  constructor({ testFiles }) {
    this.#files = testFiles
  }

  // No file loads anew: `ignoreStatic` leaves out the code that runs while files load.
  capabilities() {
    return { reloadEnvironment: true }
  }

  init() {
    // A mutant's unawaited rejection is nothing that a test has noticed.
    process.on('unhandledRejection', () => undefined)
    process.on('uncaughtException', () => undefined)
  }

  async dryRun() {
    this.#tests ??= await load(this.#files)
    const tests = await run([...this.#tests.values()], { bail: false })
    return { status: DryRunStatus.Complete, tests, mutantCoverage: instrumented.mutantCoverage }
  }

  async mutantRun({ activeMutant, hitLimit, testFilter }) {
    this.#tests ??= await load(this.#files)
    Object.assign(instrumented, { activeMutant: activeMutant.id, hitCount: 0, hitLimit })
    // The quickest first: the first that fails is enough.
    const tests = testFilter.map((id) => this.#tests.get(id))
    const results = await run(tests.sort((one, other) => one.took - other.took))
    const limit = determineHitLimitReached(instrumented.hitCount, hitLimit)
    instrumented.activeMutant = undefined
    await this.#makeSure(results.at(-1))
    return toMutantRunResult(limit ?? { status: DryRunStatus.Complete, tests: results })
  }

  // A test that fails without the mutant too tells nothing: some mutant has spoilt the process.
  // Stryker starts another one then, and tries again.
  async #makeSure({ id, status }) {
    if (status !== TestStatus.Failed) return
    const [again] = await run([this.#tests.get(id)])
    if (again.status !== TestStatus.Failed) return
    console.error(`Fails without a mutant too: ${id}: ${again.failureMessage}`)
    process.exit(1)
  }
}

async function load(patterns) {
  const standIn = new URL('vitest.mjs', pathToFileURL(`${process.cwd()}/tools/mutation/`)).href
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vitest' && context.parentURL !== standIn
        ? { url: standIn, shortCircuit: true }
        : next(specifier, context),
  })
  const { configureGlobal } = await import('fast-check')
  // Few values, the same each time: whether a mutant lives must not be luck.
  process.env.RUNS ??= '100'
  configureGlobal({ seed: 1, endOnFailure: true, numRuns: 20 })
  const { testsOf } = await import(standIn)
  const tests = new Map()
  for (const file of patterns.flatMap((pattern) => globSync(pattern).sort())) {
    for (const test of await testsOf(pathToFileURL(file).href)) {
      let id = `${file} > ${test.name}`
      while (tests.has(id)) id += "'"
      tests.set(id, { ...test, id, file, took: 0 })
    }
  }
  return tests
}

async function run(tests, { bail } = { bail: true }) {
  const results = []
  for (const test of tests) {
    const { id, name, file } = test
    const start = performance.now()
    const result = { id, name, fileName: file, status: TestStatus.Success }
    instrumented.currentTestId = id
    try {
      await inTime(test)
    } catch (error) {
      const isUnfit = error?.constructor?.name === 'Unfit'
      const status = isUnfit ? TestStatus.Skipped : TestStatus.Failed
      Object.assign(result, { status, failureMessage: `${error}` })
    }
    instrumented.currentTestId = undefined
    const timeSpentMs = performance.now() - start
    // A failure ends early.
    if (result.status === TestStatus.Success) test.took = timeSpentMs
    results.push({ ...result, timeSpentMs })
    if (bail && result.status === TestStatus.Failed) break
  }
  return results
}

// A promise that a mutant never settles. Stryker itself would start another process, which loads
// all tests anew.
async function inTime({ run, took }) {
  let timer
  const late = new Promise((_, reject) => {
    // Until it ran once, nobody knows how long it takes.
    const limit = took === 0 ? 60_000 : 4000 + 5 * took
    timer = setTimeout(() => reject(new Error('The test took too long')), limit)
  })
  try {
    await Promise.race([run(), late])
  } finally {
    clearTimeout(timer)
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, 'in-process', InProcess)]
