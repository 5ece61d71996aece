import { inTurn } from './figures.ts'

/** Calls by name; each takes the number of its turn, and may return a promise. */
export type Calls = Readonly<Record<string, (turn: number) => unknown>>

/** The number of rounds, and the work around them. */
export interface Rounds {
  /** The time of a batch, about. */
  readonly milliseconds: number
  /** Rounds that only compile. */
  readonly unmeasured?: number
  /** Rounds that are measured: between these numbers, and no more after so many seconds. */
  readonly fewest: number
  readonly most: number
  readonly seconds?: number
  /** Prepares turns, outside of the measured time. */
  readonly prepare?: ((start: number, count: number) => Promise<void>) | undefined
  /** Runs after each round. */
  readonly cleanup?: (() => Promise<unknown>) | undefined
}

/** Times calls in turn, by the clock: nanoseconds a call, by name, a value a round. */
export async function clockInTurn(calls: Calls, rounds: Rounds): Promise<Record<string, number[]>> {
  const { unmeasured = 0, fewest, most, seconds = Number.POSITIVE_INFINITY } = rounds
  const times: Record<string, number[]> = {}
  let sizes = await batchSizes(calls, rounds)
  const end = performance.now() + seconds * 1000
  for (let round = -unmeasured; round < most; round++) {
    if (round >= fewest && performance.now() > end) break
    // What has been compiled is faster.
    if (round === 0 && unmeasured > 0) sizes = await batchSizes(calls, rounds)
    for (const [name, call] of inTurn(Object.entries(calls), round + unmeasured)) {
      const time = await timeOf(call, sizes[name] ?? 1, rounds)
      times[name] ??= []
      if (round >= 0) times[name].push(time)
    }
    await rounds.cleanup?.()
  }
  return times
}

// Calls everything often enough for V8 to compile it, too.
async function batchSizes(calls: Calls, rounds: Rounds): Promise<Record<string, number>> {
  const nanoseconds = rounds.milliseconds * 1e6
  const sizes: Record<string, number> = {}
  for (const [name, call] of Object.entries(calls)) {
    let size = 1
    let time = await timeOf(call, size, rounds)
    while (time * size < nanoseconds && size < 4096) {
      size *= 4
      time = await timeOf(call, size, rounds)
    }
    sizes[name] = Math.max(1, Math.min(4096, Math.round(nanoseconds / time)))
  }
  await rounds.cleanup?.()
  return sizes
}

let turn = 0

async function timeOf(call: Calls[string], size: number, { prepare }: Rounds): Promise<number> {
  const first = turn
  turn += size
  await prepare?.(first, size)
  const start = performance.now()
  for (let at = first; at < first + size; at++) {
    const result = call?.(at)
    // To await a value that is no promise takes a turn of its own.
    if (result instanceof Promise) await result
  }
  return ((performance.now() - start) * 1e6) / size
}
