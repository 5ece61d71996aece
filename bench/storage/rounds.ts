import { setImmediate as breathe } from 'node:timers/promises'
import type { Task } from './tasks.ts'

/** One that is measured. */
export interface Contender {
  readonly name: string
  readonly ask: (turn: number) => unknown
}

/** Microseconds of a call, by contender, a value a round: the values of a round belong together. */
export type Times = ReadonlyMap<string, readonly number[]>

/** How long to measure. */
export interface Effort {
  readonly secondsPerTask: number
  /** A batch is as many questions as take about this. */
  readonly batchMilliseconds: number
  readonly fewest: number
  readonly most: number
}

let turn = 0

/** Measures contenders in turn (A B C, B C A, …): other work of the machine delays all alike. */
export async function measure(
  contenders: readonly Contender[],
  task: Task,
  effort: Effort,
): Promise<Times> {
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]))
  const size = await batchSize(contenders, task, effort)
  const start = performance.now()
  for (let round = 0; round < effort.most; round++) {
    const spent = (performance.now() - start) / 1000
    if (round >= effort.fewest && spent > effort.secondsPerTask) break
    for (let place = 0; place < contenders.length; place++) {
      const contender = contenders[(place + round) % contenders.length]
      if (contender === undefined) continue
      times.get(contender.name)?.push(await batch(contender, task, size))
    }
    await task.tidy?.()
  }
  return times
}

// Calls everything often enough to be compiled, too.
async function batchSize(
  contenders: readonly Contender[],
  task: Task,
  { batchMilliseconds }: Effort,
): Promise<number> {
  let slowest = 0
  for (const contender of contenders) {
    let size = 1
    let perQuestion = await batch(contender, task, size)
    while ((perQuestion * size) / 1000 < batchMilliseconds && size < 4096) {
      size *= 4
      perQuestion = await batch(contender, task, size)
    }
    slowest = Math.max(slowest, perQuestion)
  }
  await task.tidy?.()
  return Math.max(1, Math.min(1000, Math.round((batchMilliseconds * 1000) / slowest)))
}

async function batch({ ask }: Contender, task: Task, size: number): Promise<number> {
  const first = turn
  turn += size
  await task.prepare?.(first, size)
  await breathe()
  const start = performance.now()
  for (let at = first; at < first + size; at++) await ask(at)
  return ((performance.now() - start) * 1000) / size
}

/** The middle value; half way between two for an even number. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const [low = Number.NaN, high = Number.NaN] = sorted.slice((sorted.length - 1) >> 1)
  return sorted.length % 2 === 1 ? (sorted[middle] ?? Number.NaN) : (low + high) / 2
}

/** How many times as long one took as another: the median of the ratios within each round. */
export function ratio(times: Times, one: string, other: string): number | undefined {
  const [ones, others] = [times.get(one), times.get(other)]
  if (ones === undefined || others === undefined) return undefined
  return median(ones.map((value, round) => value / (others[round] ?? Number.NaN)))
}
