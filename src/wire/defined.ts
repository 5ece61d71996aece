/** Copies the members that are not `undefined` into an object without a prototype. */
export function defined<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: Exclude<Members[Name], undefined> } {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return Object.assign(Object.create(null), Object.fromEntries(entries))
}
