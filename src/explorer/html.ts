/** A piece of HTML. Made by {@link html}, which escapes everything that is put into it and is none. */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** What may be put into a piece of HTML; `undefined` is nothing. */
export type Content = Html | string | number | readonly Content[] | undefined

// A carriage return would be read as a line feed, NUL as nothing that may be written.
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
 * Writes HTML: what stands in the template is markup, what is put into it is text, escaped for content and for attributes in double
 * quotes, unless it was made by this function itself.
 */
export function html(markup: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(String.raw({ raw: markup }, ...contents.map(write)))
}

function write(content: Content): string {
  if (content === undefined) return ''
  if (content instanceof Html) return content.text
  return typeof content === 'object' ? content.map(write).join('') : escaped(`${content}`)
}

function escaped(text: string): string {
  return text.toWellFormed().replace(/[&<>"'\r\0]/g, (character) => escapes[character] ?? '')
}
