import { setImmediate as breathe } from 'node:timers/promises'
import { inTurn } from '../../support/figures.ts'

/**
 * A function that is timed: `call` with one input after another.
 *
 * @typedef {{ name: string, call: (input: any) => unknown, inputs: readonly unknown[] }} Runner
 */

/**
 * The number of rounds, and each runner's time in one.
 *
 * @typedef {{ rounds: number, milliseconds: number }} Effort
 */

let kept

/**
 * Times runners in turn. First all of them run mixed, so that V8 compiles no function for one kind
 * of input alone.
 *
 * @param {readonly Runner[]} runners
 * @param {Effort} effort
 * @returns {Promise<Record<string, number[]>>} Nanoseconds of CPU a call, by name, a value a round.
 *   The values of a round belong together.
 */
export async function timeInTurn(runners, { rounds, milliseconds }) {
  warmUp(runners)
  const counts = new Map(runners.map((runner) => [runner, countFor(runner, milliseconds)]))
  const times = Object.fromEntries(runners.map(({ name }) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (const runner of inTurn(runners, round)) {
      const count = counts.get(runner)
      // The processor's caches are its own again, as they are where it alone is used.
      repeat(runner, Math.min(count, runner.inputs.length))
      times[runner.name].push(timed(runner, count))
    }
    await breathe()
  }
  return times
}

// Enough for every function to be compiled; slow ones are given less.
function warmUp(runners) {
  const spent = runners.map(() => 0)
  for (let turn = 0; turn < 200; turn++) {
    for (const [place, runner] of runners.entries()) {
      if (spent[place] < 50e6) spent[place] += 20 * timed(runner, 20)
    }
  }
}

// As many calls as take about this long.
function countFor(runner, milliseconds) {
  for (let count = 1; ; count *= 2) {
    const nanoseconds = timed(runner, count) * count
    if (nanoseconds > (milliseconds / 2) * 1e6)
      return Math.ceil((count * milliseconds * 1e6) / nanoseconds)
  }
}

// CPU, not the clock: on a shared machine other processes take turns too.
function timed(runner, count) {
  const before = process.cpuUsage()
  repeat(runner, count)
  const { user, system } = process.cpuUsage(before)
  return ((user + system) * 1000) / count
}

// One loop for all: V8 inlines no function into it, and the results are kept.
function repeat({ call, inputs }, count) {
  const { length } = inputs
  for (let turn = 0, at = 0; turn < count; turn++) {
    kept = call(inputs[at])
    at = at + 1 === length ? 0 : at + 1
  }
  return kept
}

/** Text as a socket gives it: in one piece, not glued of several. */
export function flat(text) {
  return Buffer.from(text).toString('latin1')
}
