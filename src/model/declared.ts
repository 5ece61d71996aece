/**
 * Refuses options that are no object, and unknown options: a misspelt one would have no effect.
 *
 * @param place The beginning of the message: `Resource "notes"`.
 * @param known Its keys are the known options, so that the compiler keeps it complete.
 * @throws {TypeError} With the nearest option, else with all of them.
 */
export function checkOptions(place: string, options: unknown, known: object): void {
  throwFaults(faultsOfOptions(place, options, known))
}

/** Returns the messages that {@link checkOptions} throws. */
export function faultsOfOptions(place: string, options: unknown, known: object): readonly string[] {
  const names = Object.keys(known)
  if (!isRecord(options))
    return [`${place} takes an object: write some of { ${names.join(', ')} }.`]
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(known, name))
  return unknown.map((name) => {
    const renamed = renames.get(name)
    const isRenamed = renamed !== undefined && Object.hasOwn(known, renamed)
    const remedy = isRenamed ? `it is now "${renamed}"` : meant(name, names)
    return `${place} has no option "${name}": ${remedy}.`
  })
}

/**
 * Throws the faults of a declaration as one `TypeError`, each on its line; nothing for none. A
 * single error is thrown as it is.
 */
export function throwFaults(faults: readonly (string | TypeError)[]): void {
  const [first] = faults
  if (first === undefined) return
  if (faults.length === 1 && typeof first !== 'string') throw first
  const lines = faults.map((fault) => (typeof fault === 'string' ? fault : fault.message))
  throw new TypeError([...new Set(lines)].join('\n'))
}

/** Runs a part of a declaration. Keeps the `TypeError` of a fault, and returns `undefined`. */
export function attempt<Made>(faults: (string | TypeError)[], make: () => Made): Made | undefined {
  try {
    return make()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    faults.push(error)
    return undefined
  }
}

// The options of earlier releases, with their names now.
const renames: ReadonlyMap<string, string> = new Map([
  ['version', 'revision'],
  ['unversioned', 'defaultVersion'],
])

/** Throws a `TypeError` with the list to write, for an option of lists with another value. */
export function checkLists(place: string, options: object, names: readonly string[]): void {
  throwFaults(faultsOfLists(place, options, names))
}

/** Returns the messages that {@link checkLists} throws. */
export function faultsOfLists(
  place: string,
  options: object,
  names: readonly string[],
): readonly string[] {
  return names.flatMap((name) => {
    const list: unknown = Reflect.get(options, name)
    if (list === undefined || Array.isArray(list)) return []
    const example = typeof list === 'string' ? `'${list}'` : '…'
    return [`${place} needs a list as "${name}": write "${name}: [${example}]".`]
  })
}

/** Returns a list of a declaration; an empty one for none, and for a value that is no list. */
export function declaredList<Element>(list: readonly Element[] | undefined): readonly Element[] {
  return Array.isArray(list) ? list : none
}

const none: readonly never[] = /* @__PURE__ */ Object.freeze([])

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

/** Returns the name that a misspelt one probably means; `undefined` for none. */
export function nearestTo(name: string, names: readonly string[]): string | undefined {
  // No name is as long, and a client can send a long text in each request.
  if (name.length > 64) return undefined
  const [near] = names
    .map((other) => ({ other, distance: distanceOf(fold(name), fold(other)) }))
    .sort((one, other) => one.distance - other.distance)
  if (near && near.distance <= Math.max(1, name.length / 3)) return near.other
  const anagram = names.find((other) => lettersOf(other) === lettersOf(name))
  if (anagram !== undefined) return anagram
  return names.find((other) => isStartOf(fold(name), fold(other)))
}

// `nmae` is `name`.
function lettersOf(name: string): string {
  return [...fold(name)].sort().join('')
}

// `read_only` and `readonly` are both `readOnly`.
function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

// `sort` is `sortable`, `bodySize` is `body`, and `company` is `companies`.
function isStartOf(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  const start = Math.max(4, shorter > 5 ? shorter - 1 : shorter)
  return start <= shorter && one.slice(0, start) === other.slice(0, start)
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
