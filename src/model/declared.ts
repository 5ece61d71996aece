/**
 * Makes sure that what a program without types gave as options is an object with no option that there is not: a misspelt
 * one would be ignored, and nobody would know.
 *
 * @param place Who takes the options, as a sentence begins: `Resource "notes"`.
 * @param known The options there are, as the keys of a record, so that the compiler holds it complete.
 * @throws {TypeError} With the option that may be meant, else all there are.
 */
export function checkOptions(place: string, options: unknown, known: object): void {
  const names = Object.keys(known)
  if (!isRecord(options)) {
    throw new TypeError(`${place} takes an object: write some of { ${names.join(', ')} }.`)
  }
  const unknown = Object.keys(options).find((name) => !Object.hasOwn(known, name))
  if (unknown === undefined) return
  const renamed = renames.get(unknown)
  throw new TypeError(
    renamed !== undefined && Object.hasOwn(known, renamed)
      ? `${place} has no option "${unknown}": it is now "${renamed}".`
      : `${place} has no option "${unknown}": ${meant(unknown, names)}.`,
  )
}

// Options of earlier releases, and their names now.
const renames: ReadonlyMap<string, string> = new Map([
  ['version', 'revision'],
  ['unversioned', 'defaultVersion'],
])

/**
 * Makes sure that the options which hold lists do.
 *
 * @throws {TypeError} With the list of one that may be meant.
 */
export function checkLists(place: string, options: object, names: readonly string[]): void {
  for (const name of names) {
    const list: unknown = Reflect.get(options, name)
    if (list === undefined || Array.isArray(list)) continue
    throw new TypeError(`${place} needs a list as "${name}": write "${name}: [${example(list)}]".`)
  }
}

/**
 * Makes sure that what is called later is a function.
 *
 * @param example What to write instead.
 * @throws {TypeError} At once, instead of with the first request.
 */
export function checkFunction(place: string, given: unknown, example: string): void {
  if (typeof given === 'function') return
  throw new TypeError(`${place} takes a function: write ${example}.`)
}

function example(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : '…'
}

/** Says what to write instead of a name there is not: the one it is nearest to, or all there are. */
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

// How many letters have to be changed, added or left out (Levenshtein).
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

/** Tells an object from what is none, a list or a function. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
