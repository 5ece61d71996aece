/** Tells whether a text has at most so many characters (code points, as databases count). */
export function isWithin(text: string, length: number): boolean {
  return text.length <= length || (text.length <= 2 * length && [...text].length <= length)
}
