import { problem } from '../convention/problem.ts'

/**
 * Decodes a percent-encoded text once, strictly (RFC 3986 §2.1). The inverse of
 * `encodeURIComponent`.
 *
 * @param part The part of the URL, for the message: `path`, `query`.
 * @throws {ProblemError} `bad_percent_encoding`.
 */
export function decodePercent(text: string, part: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw problem(
      'bad_percent_encoding',
      `The ${part} holds an escape that is not "%" and two hexadecimal digits of UTF-8.`,
    )
  }
}

/** Decodes a segment of a path as {@link decodePercent} does; `''` for a broken one. */
export function decodeOrEmpty(segment: string): string {
  try {
    return decodePercent(segment, 'path')
  } catch {
    return ''
  }
}
