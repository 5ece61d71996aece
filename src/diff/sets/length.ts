/** Returns the length of a text in code points, as JSON Schema counts it. */
export function lengthOf(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}
