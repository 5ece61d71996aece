import { isSame } from '../convention/value.ts'
import { type Container, type FileEntry, keyOf, type RawItem, readContainer } from './text.ts'

/** How a file breaks and indents its lines. */
export interface Layout {
  /** `\n` or `\r\n`; empty where the file is one line. */
  readonly newline: string
  readonly indent: string
}

/** Returns the layout of a file by the white space before its first member. */
export function layoutOf(bytes: Buffer, { start, entries }: Container): Layout {
  const [first] = entries
  const space = first === undefined ? '\n  ' : bytes.toString('utf8', start + 1, first.start)
  const [, newline = '', indent = ''] = /(\r?\n)([ \t]*)$/.exec(space) ?? []
  return { newline, indent }
}

/** The index of an entry that stays as it is, or the text of a new one. */
export type Piece = number | string

/** The text of a container, and its entries in it. */
interface Spliced {
  readonly bytes: Buffer
  readonly container: Container
}

/** A container with the white space to write inside its brackets where it is empty. */
export interface Splicing {
  readonly bytes: Buffer
  readonly container: Container
  readonly lead: string
  readonly tail: string
}

/**
 * Writes a container with other entries. Entries that stay keep their bytes, and neighbours among
 * them also the bytes between.
 */
export function splice({ bytes, container, lead, tail }: Splicing, pieces: readonly Piece[]) {
  const { start, end, entries } = container
  const [first, second] = entries
  const last = entries.at(-1)
  const gaps = {
    lead: first === undefined ? lead : bytes.toString('utf8', start + 1, first.start),
    tail: last === undefined ? tail : bytes.toString('utf8', last.end, end - 1),
  }
  const between =
    first && second ? bytes.toString('utf8', first.end, second.start) : `,${gaps.lead}`
  const output = new Output(bytes)
  output.copy({ start, end: start + 1 })
  for (const [place, piece] of pieces.entries()) {
    const previous = pieces[place - 1]
    const isNext = typeof piece === 'number' && previous === piece - 1
    const old = typeof piece === 'number' ? entries[piece] : undefined
    if (isNext) output.copy({ start: entries[previous]?.end ?? 0, end: old?.start ?? 0 })
    else output.write(place === 0 ? gaps.lead : between)
    if (old === undefined) output.add(String(piece))
    else output.keep(old)
  }
  if (pieces.length > 0) output.write(gaps.tail)
  output.copy({ start: end - 1, end })
  return output.end()
}

/** Collects bytes. Copies those that follow each other at once. */
class Output {
  readonly #bytes: Buffer
  readonly #chunks: Buffer[] = []
  readonly #entries: FileEntry[] = []
  #length = 0
  #run = { start: 0, end: 0 }

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  copy({ start, end }: Pick<FileEntry, 'start' | 'end'>): void {
    if (start !== this.#run.end) this.#flush(start)
    this.#run.end = end
    this.#length += end - start
  }

  write(text: string): void {
    if (text === '') return
    this.#flush(-1)
    const chunk = Buffer.from(text)
    this.#chunks.push(chunk)
    this.#length += chunk.length
  }

  keep(entry: FileEntry): void {
    const start = this.#length
    this.#entries.push({
      start,
      value: start + entry.value - entry.start,
      end: start + entry.end - entry.start,
    })
    this.copy(entry)
  }

  add(text: string): void {
    const start = this.#length
    this.write(text)
    this.#entries.push({ start, value: start, end: this.#length })
  }

  end(): Spliced {
    this.#flush(-1)
    const container = { start: 0, end: this.#length, entries: this.#entries }
    return { bytes: Buffer.concat(this.#chunks, this.#length), container }
  }

  #flush(start: number): void {
    const { start: first, end } = this.#run
    if (end > first) this.#chunks.push(this.#bytes.subarray(first, end))
    this.#run = { start, end: start }
  }
}

/** How to write a value: on lines that begin so, or on one line as other text does. */
type Style =
  | { readonly newline: string; readonly indent: string }
  | { readonly newline: ''; readonly pad: string; readonly gap: string }

/** Writes a new item as an item beside it is written, else as the layout of the file says. */
export function formatItem(item: RawItem, sample: string | undefined, layout: Layout): string {
  return formatValue(item, styleOf(sample, layout, 2))
}

function styleOf(sample: string | undefined, { newline, indent }: Layout, depth: number): Style {
  if (sample === undefined) {
    if (newline === '') return { newline: '', pad: '', gap: '' }
    return { newline: newline + indent.repeat(depth), indent }
  }
  const [, end, base] = /(\r?\n)([ \t]*)\S$/.exec(sample) ?? []
  if (end === undefined) {
    const [, pad = '', gap = ''] = /^.( ?)(?:"(?:[^"\\]|\\.)*" ?:( ?))?/.exec(sample) ?? []
    return { newline: '', pad, gap }
  }
  const [, inner = ''] = /\n([ \t]*)/.exec(sample) ?? []
  return { newline: end + base, indent: inner.slice(base?.length) || indent }
}

function formatValue(value: unknown, style: Style): string {
  if (!('pad' in style))
    return JSON.stringify(value, undefined, style.indent).replaceAll('\n', style.newline)
  const { pad, gap } = style
  if (gap === '') return JSON.stringify(value)
  // A text of JSON holds no line break, so that each one stands between two values.
  return JSON.stringify(value, undefined, 1)
    .replace(/\{\n */g, `{${pad}`)
    .replace(/\n *\}/g, `${pad}}`)
    .replace(/\[\n */g, '[')
    .replace(/\n *\]/g, ']')
    .replace(/\n */g, ' ')
}

/** An object in a file, to be written with other members. */
export interface Rewriting {
  readonly bytes: Buffer
  readonly entry: FileEntry
  readonly layout: Layout
  /** The members that come first where they are new. */
  readonly first: string
}

/** Writes an object with other members. A member whose value is the same keeps its bytes. */
export function spliceItem({ bytes, entry, layout, first }: Rewriting, item: RawItem): string {
  const text = bytes.subarray(entry.value, entry.end)
  const container = readContainer(text, 0)
  const old: RawItem = JSON.parse(text.toString())
  const keys = container.entries.map((member) => keyOf(text, member))
  const style = memberStyleOf(text.toString(), layout)
  const oldPieces = keys.flatMap((key, place): Piece[] => {
    // Of two members with one name, the last one counts.
    const isLast = keys.lastIndexOf(key) === place
    if (!isLast || !Object.hasOwn(item, key)) return []
    if (isSame(item[key], old[key])) return [place]
    const { start = 0, value = 0 } = container.entries[place] ?? {}
    return [text.toString('utf8', start, value) + formatValue(item[key], style)]
  })
  const colon = 'pad' in style ? `:${style.gap}` : ': '
  const write = (key: string): string => JSON.stringify(key) + colon + formatValue(item[key], style)
  const added = Object.keys(item).filter((key) => !Object.hasOwn(old, key))
  const pieces = [
    ...added.filter((key) => key === first).map(write),
    ...oldPieces,
    ...added.filter((key) => key !== first).map(write),
  ]
  const gaps = 'pad' in style ? { lead: style.pad, tail: style.pad } : gapsOf(style)
  return splice({ bytes: text, container, ...gaps }, pieces).bytes.toString()
}

// The members of an item begin one level further in.
function memberStyleOf(sample: string, layout: Layout): Style {
  const isEmpty = /^\{\s*\}$/.test(sample)
  const style = isEmpty ? styleOf(undefined, layout, 2) : styleOf(sample, layout, 2)
  return 'pad' in style ? style : { ...style, newline: style.newline + style.indent }
}

function gapsOf({ newline, indent = '' }: { newline: string; indent?: string }) {
  return { lead: newline, tail: newline.slice(0, newline.length - indent.length) }
}
