/** Writes values as a list of JSON. A whole number of any size keeps all its digits. */
export function jsonListOf(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'bigint' ? `${value}` : toJson(value)))
  return `[${texts.join()}]`
}

function toJson(value: unknown): string {
  return JSON.stringify(value ?? null)
}
