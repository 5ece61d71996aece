import { type ProblemError, problem } from '../model/problem.ts'
import { decodePercent } from './percent.ts'

const [slash, percent, backslash, hash] = [0x2f, 0x25, 0x5c, 0x23]
const [dot, space, del] = [0x2e, 0x20, 0x7f]

/** Tells whether a path ends with a slash. */
export function hasTrailingSlash(path: string): boolean {
  return path.charCodeAt(path.length - 1) === slash
}

/** Reads the segments of a path one after another. Decodes after splitting: an encoded slash is part of an id. */
export class Segments {
  readonly #path: string
  readonly #end: number
  /** The index of the next segment. */
  start = 1

  constructor(path: string) {
    if (path.charCodeAt(0) !== slash) throw problem('bad_path', 'A path starts with "/"')
    this.#path = path
    this.#end = path.length > 1 && hasTrailingSlash(path) ? path.length - 1 : path.length
  }

  get areOver(): boolean {
    return this.start > this.#end
  }

  /** Skips the next segment if it equals a text, and tells whether it did. */
  skip(segment: string): boolean {
    const end = this.start + segment.length
    const isNext =
      this.#path.startsWith(segment, this.start) &&
      (end === this.#end || this.#path.charCodeAt(end) === slash)
    if (isNext) this.start = end + 1
    return isNext
  }

  /** Reads the next segment; `undefined` at the end. */
  next(): string | undefined {
    if (this.areOver) return undefined
    const path = this.#path
    const start = this.start
    let encoded = false
    let at = start
    for (; at < this.#end; at++) {
      const code = path.charCodeAt(at)
      // Most characters pass here.
      if (code > slash && code < del && code !== backslash) continue
      if (code === slash) break
      if (code === percent) encoded = true
      else if (code <= space || code >= del || code === backslash || code === hash) {
        throw problem('bad_path', 'The path holds a character that has to be percent-encoded')
      }
    }
    this.start = at + 1
    return at === start ? '' : readSegment(path.slice(start, at), encoded)
  }

  /** Returns a problem, unless the rest of the path has a fault: `bad_path` comes before 404. */
  leadTo(problem: ProblemError): ProblemError {
    while (this.next() !== undefined);
    return problem
  }
}

function readSegment(text: string, encoded: boolean): string {
  const segment = encoded ? decodeSegment(text) : text
  if (segment.charCodeAt(0) === dot && (segment === '.' || segment === '..')) {
    throw problem('bad_path', 'A path holds no "." and ".." segments')
  }
  return segment
}

function decodeSegment(segment: string): string {
  const text = decodePercent(segment, 'path')
  if (text.includes('\0')) throw problem('bad_percent_encoding', 'The path holds NUL')
  return text
}
