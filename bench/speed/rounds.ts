import type { Figure } from './figures.ts'
import { figureOf } from './times.ts'

/** What one measurement found, by quantity: `{ cpu: 5400 }`. */
export type Found = Readonly<Record<string, number>>

/** One that is measured in turn with others. */
export interface Measured {
  readonly name: string
  /** Measures a case once; `undefined` where it cannot be asked. */
  measure(name: string): Promise<Found | undefined>
}

/** Where a value belongs. */
interface Place {
  readonly quantity: string
  readonly contender: string
  readonly name: string
}

/** What was measured; of each quantity, contender and case a value a round. */
export class Rounds {
  readonly #values = new Map<string, number[]>()

  /** Measures contenders in turn (A B C, B C A, …), so that whatever else the machine does strikes them alike. */
  async run(
    contenders: readonly Measured[],
    cases: readonly string[],
    rounds: number,
  ): Promise<void> {
    for (let round = 0; round < rounds; round++) {
      for (const name of cases) {
        for (let turn = 0; turn < contenders.length; turn++) {
          const contender = contenders[(turn + round) % contenders.length]
          if (contender) this.#add(contender.name, name, await contender.measure(name))
        }
      }
    }
  }

  /** All that was found of something. */
  values(place: Place): readonly number[] {
    return this.#values.get(keyOf(place)) ?? []
  }

  /** What was found of something. */
  figure(place: Place): Figure | undefined {
    return figureOfSome(this.values(place))
  }

  /** The same over that of a yardstick, each value in its own round. */
  ratio(place: Place, yardstick: string): Figure | undefined {
    const units = this.values({ ...place, contender: yardstick })
    return figureOfSome(
      this.values(place).map((value, round) => value / (units[round] ?? Number.NaN)),
    )
  }

  #add(contender: string, name: string, found: Found = {}): void {
    for (const [quantity, value] of Object.entries(found)) {
      const key = keyOf({ quantity, contender, name })
      const values = this.#values.get(key)
      if (values) values.push(value)
      else this.#values.set(key, [value])
    }
  }
}

function keyOf({ quantity, contender, name }: Place): string {
  return JSON.stringify([quantity, contender, name])
}

function figureOfSome(values: readonly number[]): Figure | undefined {
  return values.length === 0 ? undefined : figureOf(values)
}

/** The geometric mean. */
export function meanOf(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length)
}
