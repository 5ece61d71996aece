/** Tells whether a text has no more characters than that: code points, as databases count. */
export function isWithin(text: string, length: number): boolean {
  return text.length <= length || (text.length <= 2 * length && [...text].length <= length)
}
