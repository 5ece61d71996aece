import { dateOf } from '../convention/format.ts'
import { type Html, html } from './html.ts'

// Dates, times and most names are shorter, and stay on one line.
const maxLine = 28
const maxShort = 100
const maxLong = 20_000

/**
 * Shows a JSON value as plain text, without links, markup or effect on text direction. Long values
 * unfold.
 */
export function valueHtml(value: unknown): Html {
  if (value === undefined)
    return html`<span class="none" title="The item has no such field">–</span>`
  if (value === '') return html`<span class="none">empty text</span>`
  if (typeof value === 'string') return textHtml(value)
  if (typeof value === 'object' && value !== null)
    return jsonHtml(JSON.stringify(value, undefined, 1))
  return html`<code class="scalar">${String(value)}</code>`
}

/** Shows a text in its own direction, with visible control characters. */
export function textHtml(text: string): Html {
  if (text.length > maxShort) return unfoldingHtml(text)
  return text.length > maxLine
    ? html`<bdi>${visible(text)}</bdi>`
    : html`<bdi class="short">${visible(text)}</bdi>`
}

/**
 * Shows a moment in UTC, and how far away it is: `2026-05-22 08:00:30 UTC · 6 months ago`.
 *
 * @param now In milliseconds.
 */
export function momentHtml(text: string, now: number): Html {
  const moment = dateOf(text)
  const utc = moment
    .toISOString()
    .replace('T', ' ')
    .replace(/(?:\.000)?Z$/, ' UTC')
  const distance = formatDistance(moment.getTime() - now)
  return html`<time datetime="${text}" title="${text}">${utc}</time> <small>· ${distance}</small>`
}

// Each unit in milliseconds. A month is one of 30 days.
const units = [
  ['year', 31_536_000_000],
  ['month', 2_592_000_000],
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const

// In whole units, towards zero: after 23 hours and 59 minutes it is `23 hours ago`.
function formatDistance(milliseconds: number): string {
  const [unit, length] = units.find(([, size]) => Math.abs(milliseconds) >= size) ?? units[5]
  const number = Math.trunc(milliseconds / length)
  return new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(number, unit)
}

/** Shows the start of a text on one line, in its own direction. */
export function excerptHtml(text: string): Html {
  return startHtml(text, maxLine)
}

/** Shows a name as a heading: a text that names an item may be long. */
export function headingHtml(text: string): Html {
  return startHtml(text, maxShort)
}

function startHtml(text: string, length: number): Html {
  const isCut = text.length > length
  return html`<bdi>${visible(isCut ? `${text.slice(0, length)}…` : text)}</bdi>`
}

function jsonHtml(json: string): Html {
  const line = onOneLine(json)
  return line.length <= maxShort
    ? html`<code dir="ltr">${visible(line)}</code>`
    : unfoldingHtml(json)
}

// Linear in the length: only spaces after a line feed are removed.
function onOneLine(json: string): string {
  return json.replace(/\n */g, ' ')
}

function unfoldingHtml(text: string): Html {
  const length = text.length.toLocaleString('en')
  const note = text.length > maxLong ? html` <em>truncated: the JSON is complete</em>` : undefined
  const start = html`<bdi>${visible(text.slice(0, maxShort))}…</bdi>`
  const content = html`<bdi class="whole">${visible(text.slice(0, maxLong))}</bdi>`
  const summary = html`<summary>${start} <small>${length} characters</small></summary>`
  return html`<details class="long">${summary}${content}${note}</details>`
}

/** Returns a text with pictures in place of its control characters. */
export function visible(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '\u2421' : '\uFFFD'
  })
}
