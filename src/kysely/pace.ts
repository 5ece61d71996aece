/** Items that a statement reads without asking how long it takes. */
export const few = 1000

// Milliseconds. A statement that takes longer reads too much, one that takes less than the half may read more.
const longest = 12

const leastRows = 50

let line: Promise<void> = Promise.resolve()

// One at a time: what waits for the process gets it between any two, however many operations read in slices.
function takeTurn(): Promise<void> {
  line = line.then(() => new Promise((resolve) => setTimeout(resolve, 0)))
  return line
}

/** Carries an operation out in slices, so that it never keeps the process for long. */
export class Pace {
  /** How many items the next slice reads. */
  rows: number
  readonly #least: number
  #since = performance.now()

  /** @param kept How many items each slice hands on to the next, which takes time too. Default: none. */
  constructor(kept = 0) {
    this.#least = Math.max(leastRows, 2 * kept)
    this.rows = Math.max(few, this.#least)
  }

  /** Runs the next slice, after a turn of the event loop where the slices before took long. */
  async run<Result>(slice: () => Promise<Result>): Promise<Result> {
    if (performance.now() - this.#since > longest) {
      await takeTurn()
      this.#since = performance.now()
    }
    const start = performance.now()
    // A driver that leaves the process free is no reason to read less.
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
