// A terminal obeys control characters. The rest reorders, hides or breaks the text around it.
const unsafe = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/gu

/**
 * Escapes the characters of a foreign text that a terminal would obey, as `\u001b`. These are
 * control characters, bidi controls, line separators and lone surrogates.
 */
export function escapeControls(text: string): string {
  return text.replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** As {@link escapeControls}, but keeps line breaks. */
export function escapeLines(text: string): string {
  return text.split('\n').map(escapeControls).join('\n')
}
