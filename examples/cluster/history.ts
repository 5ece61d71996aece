/** A write, and when it was under way. */
interface Write {
  readonly value: string
  readonly start: number
  /** When it was acknowledged; `Infinity` where it is not, as it may happen at any time, or not at all. */
  end: number
}

/** The value of what is not there. */
export const absent = '(absent)'

/** Everything that was written to one place, so that it can be told what may be read there. */
export class History {
  readonly #writes: Write[] = []

  /** Notes a write that is about to be sent, or was sent then; what it gives is called when that is acknowledged. */
  begin(value: string, start = performance.now()): (end: number) => void {
    const write = { value, start, end: Number.POSITIVE_INFINITY }
    this.#writes.push(write)
    return (end) => {
      write.end = end
    }
  }

  /**
   * Whether a value may be read by who began to read then: one that was written, and that no other write had replaced
   * for certain, which is one that began after the first was acknowledged, and was acknowledged before the reading began.
   */
  allows(value: string, readStart: number): boolean {
    return this.#writes.some(
      (write) => write.value === value && !this.#isReplaced(write, readStart),
    )
  }

  /** What may be read by now, for messages. */
  get allowed(): string {
    const now = performance.now()
    const values = this.#writes.map(({ value }) => value)
    return values.filter((value) => this.allows(value, now)).join(' or ')
  }

  #isReplaced({ end }: Write, readStart: number): boolean {
    return this.#writes.some((later) => later.start >= end && later.end <= readStart)
  }
}
