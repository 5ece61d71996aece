/** HTML, created by {@link html}. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** A value for a template of {@link html}; `undefined` writes nothing. */
export type HtmlContent = Html | string | number | readonly HtmlContent[] | undefined

// An HTML parser would read a carriage return as a line feed. It allows no NUL.
const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\r': '&#13;',
  '\0': '\uFFFD',
}

/**
 * Writes HTML from a template. Escapes every value for content and for attributes in double
 * quotes, except HTML of this function.
 */
export function html(markup: TemplateStringsArray, ...contents: readonly HtmlContent[]): Html {
  return new Html(String.raw({ raw: markup }, ...contents.map(write)))
}

function write(content: HtmlContent): string {
  if (content === undefined) return ''
  if (content instanceof Html) return content.text
  return typeof content === 'object' ? content.map(write).join('') : escaped(`${content}`)
}

function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"'\r\0]/g, (character) => escapes[character] ?? '')
}
