import { nearestTo } from './nearest.ts'
import { isRecord } from './value.ts'

/**
 * Refuses options that are no object, and unknown options: a misspelt one would have no effect.
 *
 * @param place The beginning of the message: `Resource "notes"`.
 * @param allowed Its keys are the known options, so that the compiler keeps it complete.
 * @throws {TypeError} With the nearest option, else with all of them.
 */
export function checkOptions(place: string, options: unknown, allowed: object): void {
  throwFaults(faultsOfOptions(place, options, allowed))
}

/** Returns the messages that {@link checkOptions} throws. */
export function faultsOfOptions(
  place: string,
  options: unknown,
  allowed: object,
): readonly string[] {
  const names = Object.keys(allowed)
  if (!isRecord(options))
    return [`${place} takes an object: write some of { ${names.join(', ')} }.`]
  const unknown = Object.keys(options).filter((name) => !Object.hasOwn(allowed, name))
  return unknown.map((name) => {
    const renamed = renames.get(name)
    const isRenamed = renamed !== undefined && Object.hasOwn(allowed, renamed)
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
export function checkFunction(place: string, value: unknown, example: string): void {
  if (typeof value === 'function') return
  throw new TypeError(`${place} takes a function: write ${example}.`)
}

/** Says what to write instead of an unknown name: the nearest one, or all of them. */
export function meant(name: string, names: readonly string[]): string {
  const near = nearestTo(name, names)
  return near === undefined ? `use ${names.join(', ')}` : `write "${near}" if that is meant`
}
