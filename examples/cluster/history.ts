/** A write, and when it was under way. */
interface Write {
  readonly value: string
  readonly start: number
  /**
   * The time of its response; `Infinity` without one, as it may take effect at any time or never.
   */
  end: number
}

/** The value of an absent item. */
export const absent = '(absent)'

/** All writes to one item, to tell which values a read may return. */
export class History {
  readonly #writes: Write[] = []

  /** Notes a write at its start. Call the returned function when the response arrives. */
  begin(value: string, start = performance.now()): (end: number) => void {
    const write = { value, start, end: Number.POSITIVE_INFINITY }
    this.#writes.push(write)
    return (end) => {
      write.end = end
    }
  }

  /**
   * Tells whether a read that began then may return a value. It may unless another write replaced
   * the value for certain: it began after the value's response, and got its own before the read.
   */
  allows(value: string, readStart: number): boolean {
    return this.#writes.some(
      (write) => write.value === value && !this.#isReplaced(write, readStart),
    )
  }

  /** The values that a read may return now, for messages. */
  get allowed(): string {
    const now = performance.now()
    const values = this.#writes.map(({ value }) => value)
    return values.filter((value) => this.allows(value, now)).join(' or ')
  }

  #isReplaced({ end }: Write, readStart: number): boolean {
    return this.#writes.some((later) => later.start >= end && later.end <= readStart)
  }
}
