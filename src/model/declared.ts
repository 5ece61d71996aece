/**
 * Refuses options that are no object, and unknown options: a misspelt one would have no effect.
 *
 * @param place The beginning of the message: `Resource "notes"`.
 * @param known Its keys are the known options, so that the compiler keeps it complete.
 * @throws {TypeError} With the nearest option, else with all of them.
 */
export function checkOptions(place: string, options: unknown, known: object): void {
  const names = Object.keys(known)
  if (!isRecord(options)) {
    throw new TypeError(`${place} takes an object: write some of { ${names.join(', ')} }.`)
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const renamed = renames.get(unknown)
  const isRenamed = renamed !== undefined && Object.hasOwn(known, renamed)
  const remedy = isRenamed ? `it is now "${renamed}"` : meant(unknown, names)
  throw new TypeError(`${place} has no option "${unknown}": ${remedy}.`)
}

// The options of earlier releases, with their names now.
const renames: ReadonlyMap<string, string> = new Map([
  ['version', 'revision'],
  ['unversioned', 'defaultVersion'],
])

/** Throws a `TypeError` with the list to write, for an option of lists with another value. */
export function checkLists(place: string, options: object, names: readonly string[]): void {
  for (const name of names) {
    const list: unknown = Reflect.get(options, name)
    if (list === undefined || Array.isArray(list)) continue
    const example = typeof list === 'string' ? `'${list}'` : '…'
    throw new TypeError(`${place} needs a list as "${name}": write "${name}: [${example}]".`)
  }
}

/** Throws a `TypeError` with an example, for a value that is no function. */
export function checkFunction(place: string, given: unknown, example: string): void {
  if (typeof given === 'function') return
  throw new TypeError(`${place} takes a function: write ${example}.`)
}

/** Says what to write instead of an unknown name: the nearest one, or all of them. */
export function meant(name: string, names: readonly string[]): string {
  const near = nearestTo(name, names)
  return near === undefined ? `use ${names.join(', ')}` : `write "${near}" if that is meant`
}

function nearestTo(name: string, names: readonly string[]): string | undefined {
  const [near] = names
    .map((other) => ({ other, distance: distanceOf(fold(name), fold(other)) }))
    .sort((one, other) => one.distance - other.distance)
  if (near && near.distance <= Math.max(1, name.length / 3)) return near.other
  return names.find((other) => isStartOf(fold(name), fold(other)))
}

// `read_only` and `readonly` are both `readOnly`.
function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

// `sort` is `sortable`, and `bodySize` is `body`.
function isStartOf(one: string, other: string): boolean {
  return Math.min(one.length, other.length) > 3 && (one.startsWith(other) || other.startsWith(one))
}

// The Levenshtein distance.
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (const [line, letter] of [...one].entries()) {
    const next = [line + 1]
    for (const [place, otherLetter] of [...other].entries()) {
      const changed = Number(row[place]) + Number(letter !== otherLetter)
      next.push(Math.min(changed, Number(row[place + 1]) + 1, Number(next[place]) + 1))
    }
    row = next
  }
  return Number(row[other.length])
}

/** Tells whether a value is an object, but no list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
