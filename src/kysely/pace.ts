/** The number of items that a statement may read without a time check. */
export const few = 1000

// Milliseconds. A slower statement reads too much, and one in half the time may read more.
const longest = 12

const leastRows = 50

let line: Promise<void> = Promise.resolve()

// One at a time: other requests get their turn between two slices, however many operations read in
// slices.
function takeTurn(): Promise<void> {
  line = line.then(() => new Promise((resolve) => setTimeout(resolve, 0)))
  return line
}

/** Runs an operation in slices, so that it never blocks the process for long. */
export class Pace {
  /** The number of items in the next slice. */
  rows: number
  readonly #least: number
  #since = performance.now()

  /**
   * @param kept The number of items that each slice passes to the next, which takes time too.
   *   Default: none.
   */
  constructor(kept = 0) {
    this.#least = Math.max(leastRows, 2 * kept)
    this.rows = Math.max(few, this.#least)
  }

  /** Runs the next slice, after a turn of the event loop if the slices before took long. */
  async run<Result>(slice: () => Promise<Result>): Promise<Result> {
    if (performance.now() - this.#since > longest) {
      await takeTurn()
      this.#since = performance.now()
    }
    const start = performance.now()
    // A driver that leaves the process free does not need smaller slices.
    let isKept = true
    const timer = setTimeout(() => {
      isKept = false
      this.#since = performance.now()
    }, 0)
    try {
      return await slice()
    } finally {
      clearTimeout(timer)
      this.#adapt(isKept ? performance.now() - start : 0)
    }
  }

  #adapt(took: number): void {
    if (took > longest) this.rows = Math.max(this.#least, Math.floor(this.rows / 2))
    if (took < longest / 2) this.rows *= 2
  }
}
