/**
 * Returns how likely two lists of times are to differ this much by chance, by the test of Mann and
 * Whitney: two-sided, with the normal distribution, and with a correction for ties.
 */
export function samePlaceTest(one: readonly number[], other: readonly number[]): number {
  const all = [
    ...one.map((time) => ({ time, isOne: true })),
    ...other.map((time) => ({ time, isOne: false })),
  ].toSorted((left, right) => left.time - right.time)
  let ranks = 0
  let ties = 0
  for (let start = 0; start < all.length; ) {
    let end = start
    while (end < all.length && all[end]?.time === all[start]?.time) end++
    const count = end - start
    const rank = (start + 1 + end) / 2
    for (let place = start; place < end; place++) if (all[place]?.isOne) ranks += rank
    ties += count ** 3 - count
    start = end
  }
  const [m, n, total] = [one.length, other.length, all.length]
  const u = ranks - (m * (m + 1)) / 2
  const deviation = Math.sqrt(((m * n) / 12) * (total + 1 - ties / (total * (total - 1))))
  const distance = Math.max(0, Math.abs(u - (m * n) / 2) - 0.5) / deviation
  return 2 * (1 - normal(distance))
}

// Abramowitz and Stegun 26.2.17: wrong by at most 7.5e-8.
function normal(x: number): number {
  const t = 1 / (1 + 0.2316419 * x)
  const powers = [0.31938153, -0.356563782, 1.781477937, -1.821255978, 1.330274429]
  const sum = powers.reduceRight((rest, factor) => (rest + factor) * t, 0)
  return 1 - (Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI)) * sum
}
