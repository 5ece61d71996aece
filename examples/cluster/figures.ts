import type { Book, Written } from './book.ts'
import type { Findings } from './verify.ts'

interface Phase {
  readonly name: string
  readonly start: number
  end: number
}

const columns = ['', 'seconds', 'writes/s', '503', 'broken', 'median', 'longest', 'silence']

/** The figures of each part of the run, and of all. */
export class Figures {
  readonly #book: Book
  readonly #phases: Phase[] = []

  constructor(book: Book) {
    this.#book = book
  }

  /** Another part of the story begins. */
  begin(name: string): void {
    this.end()
    this.#phases.push({ name, start: performance.now(), end: Number.POSITIVE_INFINITY })
  }

  /** The last one is over. */
  end(): void {
    const last = this.#phases.at(-1)
    if (last) last.end = performance.now()
  }

  /** Everything, as text. */
  report({ items }: Findings): string {
    const { writes, repeated, replays, faults, reads, readsElsewhere, readsRefused } = this.#book
    const acknowledged = writes.filter(isAcknowledged).length
    const shown = faults.slice(0, 20).map((fault) => `\n  ${fault}`)
    const lines = [columns, ...this.#phases.map((phase) => this.#row(phase))]
    return `${lines.map((cells) => cells.map(aligned).join('')).join('\n')}

Milliseconds. longest: from a write's request to its response.
silence: between one acknowledged write and the next, of all writers.

${acknowledged} writes were acknowledged (${kindsIn(writes)}),
${writes.length - acknowledged} were not;
${repeated} creates were repeated with their keys, and ${replays} of them had been stored before.
${reads} reads were checked, ${readsElsewhere} of them right after a write of another process;
${readsRefused} got no response.
${items} items, deleted ones too, were compared on every process and node that still runs.
${faults.length} wrong answers or lost writes${shown.join('')}`
  }

  #row({ name, start, end }: Phase): readonly string[] {
    const within = this.#book.writes.filter((write) => write.end >= start && write.end < end)
    const done = within.filter(isAcknowledged)
    const times = done.map((write) => write.end - write.start).sort((a, b) => a - b)
    const seconds = (end - start) / 1000
    const told = within.filter(({ status }) => status === 503).length
    return [
      name,
      seconds.toFixed(1),
      (done.length / seconds).toFixed(0),
      `${told}`,
      `${within.length - done.length - told}`,
      (times[times.length >> 1] ?? 0).toFixed(0),
      Math.max(0, ...within.map((write) => write.end - write.start)).toFixed(0),
      longestSilence(done, start, end).toFixed(0),
    ]
  }
}

function isAcknowledged({ status }: Written): boolean {
  return status === 200 || status === 201
}

function longestSilence(done: readonly Written[], start: number, end: number): number {
  const ends = [start, ...done.map((write) => write.end), end].sort((a, b) => a - b)
  return Math.max(...ends.slice(1).map((next, at) => next - (ends[at] ?? next)))
}

function kindsIn(writes: readonly Written[]): string {
  const kinds = [...new Set(writes.map(({ kind }) => kind))]
  const countOf = (kind: string) =>
    writes.filter((write) => write.kind === kind && isAcknowledged(write)).length
  return kinds.map((kind) => `${countOf(kind)} ${kind}`).join(', ')
}

function aligned(cell: string, at: number): string {
  return at === 0 ? cell.padEnd(24) : cell.padStart(10)
}
