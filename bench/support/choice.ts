/**
 * Returns the names that a command chooses, or all if it chooses none.
 *
 * @throws {Error} For a name that does not exist.
 */
export function chosenFrom<Name extends string>(
  all: readonly Name[],
  chosen: readonly string[] = [],
): readonly Name[] {
  const unknown = chosen.find((name) => !all.some((known) => known === name))
  if (unknown !== undefined) throw new Error(`Unknown "${unknown}". Allowed: ${all.join(', ')}`)
  return chosen.length === 0 ? all : all.filter((name) => chosen.includes(name))
}
