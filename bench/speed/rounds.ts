import type { Figure } from './figures.ts'
import { figureOf, meanOf, median } from './times.ts'

/** The findings of one turn, by quantity: `{ cpu: 5400 }`. */
export type Found = Readonly<Record<string, number>>

/** A contender that is measured in turn with the rest. */
export interface Measured {
  readonly name: string
  /** Measures a case once. */
  measure(name: string): Promise<Found>
}

/** The key of a value. */
interface Place {
  readonly quantity: string
  readonly contender: string
  readonly name: string
}

/** The findings of one run: of each quantity, contender and case a value a round. */
export class Rounds {
  readonly #values = new Map<string, number[]>()

  /**
   * Measures contenders in turn (A B C, B C A, …), so that the rest of the machine disturbs all of
   * them alike.
   */
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

  /** Gives the median of the run's rounds. */
  middle(place: Place): number {
    return median(this.#at(place))
  }

  /** Gives the median of the rounds' ratios to a yardstick, each to the value of the same round. */
  ratio(place: Place, yardstick: string): number {
    const units = this.#at({ ...place, contender: yardstick })
    return median(this.#at(place).map((value, round) => value / (units[round] ?? Number.NaN)))
  }

  #at({ quantity, contender, name }: Place): readonly number[] {
    return this.#values.get(keyOf(quantity, contender, name)) ?? []
  }

  #add(contender: string, name: string, found: Found): void {
    for (const [quantity, value] of Object.entries(found)) {
      const key = keyOf(quantity, contender, name)
      const values = this.#values.get(key)
      if (values) values.push(value)
      else this.#values.set(key, [value])
    }
  }
}

/** The findings of all runs. A figure is the median of the runs and its interval. */
export class Runs {
  readonly #runs: Rounds[] = []

  /** Begins another run. */
  begin(): Rounds {
    const rounds = new Rounds()
    this.#runs.push(rounds)
    return rounds
  }

  figure(place: Place): Figure {
    return figureOf(this.#runs.map((run) => run.middle(place)))
  }

  /** Gives the ratio to a yardstick. */
  ratio(place: Place, yardstick: string): Figure {
    return figureOf(this.#runs.map((run) => run.ratio(place, yardstick)))
  }

  /** Gives the geometric mean of the ratios of several cases. */
  mean(place: Omit<Place, 'name'>, yardstick: string, names: readonly string[]): Figure {
    return figureOf(
      this.#runs.map((run) =>
        meanOf(names.map((name) => run.ratio({ ...place, name }, yardstick))),
      ),
    )
  }
}

function keyOf(...words: readonly string[]): string {
  return JSON.stringify(words)
}
