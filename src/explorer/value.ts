import { type Html, html } from './html.ts'

// A date, a time and most names; it stays on one line.
const maxLine = 28
const maxShort = 100
const maxLong = 20_000

/** Shows a value of JSON as text that can do nothing: no link, no markup, no direction that leaks out of it. Long ones unfold. */
export function showValue(value: unknown): Html {
  if (value === undefined)
    return html`<span class="none" title="The item does not have it">–</span>`
  if (value === '') return html`<span class="none">empty text</span>`
  if (typeof value === 'string') return showText(value)
  if (typeof value === 'object' && value !== null)
    return showLong(JSON.stringify(value, undefined, 1))
  return html`<code class="scalar">${String(value)}</code>`
}

/** The text of a value that may be wider than its column, as {@link showValue} has it; `undefined` where it fits, or unfolds. */
export function wideTextOf(value: unknown): string | undefined {
  const isObject = typeof value === 'object' && value !== null
  const text = isObject ? lineOf(JSON.stringify(value, undefined, 1)) : `${value}`
  return text.length > maxLine && text.length <= maxShort ? visible(text) : undefined
}

/** Shows a text apart from the direction of what is around it, with control characters made visible. */
export function showText(text: string): Html {
  if (text.length > maxShort) return unfolding(text)
  return text.length > maxLine
    ? html`<bdi>${visible(text)}</bdi>`
    : html`<bdi class="short">${visible(text)}</bdi>`
}

function showLong(json: string): Html {
  const line = lineOf(json)
  return line.length <= maxShort ? html`<code dir="ltr">${visible(line)}</code>` : unfolding(json)
}

// What begins a line is the only white space around its end: it has to be told from that of long texts in no time.
function lineOf(json: string): string {
  return json.replace(/\n */g, ' ')
}

function unfolding(text: string): Html {
  const length = text.length.toLocaleString('en')
  const rest = text.length > maxLong ? html` <em>and so on: the JSON has it whole</em>` : undefined
  return html`<details class="long"><summary><bdi>${visible(text.slice(0, maxShort))}…</bdi> <small>${length} characters</small></summary><bdi class="whole">${visible(text.slice(0, maxLong))}</bdi>${rest}</details>`
}

// Control characters have pictures of their own in Unicode.
function visible(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]/gu, (character) => {
    const code = character.charCodeAt(0)
    if (code < 0x20) return String.fromCharCode(0x2400 + code)
    return code === 0x7f ? '\u2421' : '\uFFFD'
  })
}
