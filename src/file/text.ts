/** An object of a file. */
export type RawItem = Readonly<Record<string, unknown>>

/** An element of an array, or a member of an object, by its bytes. */
export interface FileEntry {
  /** The first byte: of a member, the one of its key. */
  readonly start: number
  /** The first byte of the value. */
  readonly value: number
  /** The byte after the last one. */
  readonly end: number
}

/** An array or an object, by its bytes: from one bracket to the one after the other. */
export interface Container {
  readonly start: number
  readonly end: number
  readonly entries: readonly FileEntry[]
}

const [tab, newline, space, quote, comma, backslash] = [0x09, 0x0a, 0x20, 0x22, 0x2c, 0x5c]
const [byteOrderMark, minus, zero, nine] = [0xef, 0x2d, 0x30, 0x39]
const [openArray, closeArray, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Finds the entries of an array or an object.
 *
 * @param bytes Valid JSON.
 * @param start The opening bracket.
 */
export function readContainer(bytes: Uint8Array, start: number): Container {
  const isObject = bytes[start] === openObject
  const entries: FileEntry[] = []
  let at = skipSpace(bytes, start + 1)
  while (!isEnd(bytes[at])) {
    const first = at
    // A colon stands between the key and the value.
    if (isObject) at = skipSpace(bytes, skipSpace(bytes, endOfText(bytes, at)) + 1)
    const end = endOfValue(bytes, at)
    entries.push({ start: first, value: at, end })
    at = skipSpace(bytes, end)
    if (bytes[at] === comma) at = skipSpace(bytes, at + 1)
  }
  return { start, end: at + 1, entries }
}

/** Returns the first byte that is no white space. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (isSpace(bytes[at])) at++
  return at
}

/** Returns the key of a member. */
export function keyOf(bytes: Buffer, { start }: FileEntry): string {
  return JSON.parse(bytes.toString('utf8', start, endOfText(bytes, start)))
}

/** Returns where a byte is, for the author of a file: `line 3, column 7`. */
export function filePlaceOf(bytes: Buffer, offset: number): string {
  let [line, start] = [1, bytes[0] === byteOrderMark ? 3 : 0]
  for (
    let at = bytes.indexOf(newline);
    at >= 0 && at < offset;
    at = bytes.indexOf(newline, start)
  ) {
    line++
    start = at + 1
  }
  return `line ${line}, column ${bytes.toString('utf8', start, offset).length + 1}`
}

/** A number in a file. */
export interface FileNumber {
  /** The first byte. */
  readonly start: number
  readonly text: string
}

/**
 * Finds the numbers that a double may not hold: those of 16 digits or more, and those with an
 * exponent of three.
 *
 * @param bytes Valid JSON.
 */
export function longNumbersIn(bytes: Buffer): readonly FileNumber[] {
  const numbers: FileNumber[] = []
  let at = 0
  while (at < bytes.length) {
    if (bytes[at] === quote) at = endOfText(bytes, at)
    else if (isNumeric(bytes[at])) {
      const end = endOfValue(bytes, at)
      if (end - at > 4) {
        const text = bytes.toString('latin1', at, end)
        if (longSyntax.test(text)) numbers.push({ start: at, text })
      }
      at = end
    } else at++
  }
  return numbers
}

const longSyntax = /\d{16}|[eE]\+?\d{3}/

function isNumeric(byte: number | undefined): boolean {
  return byte !== undefined && (byte === minus || (byte >= zero && byte <= nine))
}

function endOfValue(bytes: Uint8Array, start: number): number {
  const first = bytes[start]
  if (first === quote) return endOfText(bytes, start)
  if (first === openArray || first === openObject) return endOfContainer(bytes, start)
  let at = start
  while (at < bytes.length && bytes[at] !== comma && !isEnd(bytes[at]) && !isSpace(bytes[at])) at++
  return at
}

function endOfContainer(bytes: Uint8Array, start: number): number {
  let depth = 0
  let at = start
  do {
    const byte = bytes[at]
    if (byte === quote) at = endOfText(bytes, at)
    else {
      if (byte === openArray || byte === openObject) depth++
      else if (isEnd(byte)) depth--
      at++
    }
  } while (depth > 0)
  return at
}

function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1
  for (; bytes[at] !== quote; at++) if (bytes[at] === backslash) at++
  return at + 1
}

function isEnd(byte: number | undefined): boolean {
  return byte === closeArray || byte === closeObject
}

function isSpace(byte: number | undefined): boolean {
  return byte === space || byte === newline || byte === 0x0d || byte === tab
}
