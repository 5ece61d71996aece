/** The most rounds of {@link leastTime}. */
export const rounds = 3

/**
 * Returns the milliseconds of the quickest round: what code takes recurs in each, and noise does
 * not. A round within the bound is the last.
 *
 * @param measure Returns the milliseconds of a round, by its number.
 */
export async function leastTime(
  bound: number,
  measure: (round: number) => Promise<number>,
): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let round = 0; round < rounds && least >= bound; round++) {
    least = Math.min(least, await measure(round))
  }
  return least
}

/** What {@link sortNumbers} takes on the gate's machine, by Node 20 and 24: 17 to 21 ms. */
const usual = 20

function sortNumbers(): number {
  const numbers = Array.from({ length: 100_000 }, (_, place) => (place * 7919) % 100_003)
  const start = performance.now()
  numbers.sort((one, other) => one - other)
  return performance.now() - start
}

/**
 * How many times as long as usual this machine takes at this time, at least 1: other work may
 * slow it for minutes. A bound in milliseconds is multiplied by it.
 */
export function slowness(): number {
  const times = Array.from({ length: 10 }, sortNumbers)
  return Math.max(1, Math.min(...times) / usual)
}
