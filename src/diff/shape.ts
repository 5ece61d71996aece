import type { Json } from '../contract/schema/schema.ts'
import { isJsonObject } from '../sets/canonical.ts'

/** Finds the faults of a JSON value, as texts. A value without a fault is of the type. */
export interface Shape<Value> {
  (value: Json | undefined, at: string): Iterable<string>
  /** Carries the type: no shape has this member. */
  readonly type?: Value
}

/** The shape of a member that may be missing. */
interface OptionalShape<Value> extends Shape<Value> {
  readonly isOptional: true
}

/** The values of a shape. */
export type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never

type Shapes = Readonly<Record<string, Shape<unknown>>>

type ObjectOf<Members extends Shapes> = {
  readonly [Name in keyof Members as Members[Name] extends OptionalShape<unknown>
    ? never
    : Name]: ValueOf<Members[Name]>
} & {
  readonly [Name in keyof Members as Members[Name] extends OptionalShape<unknown>
    ? Name
    : never]?: ValueOf<Members[Name]>
}

/** Makes the shape of the values that pass a test. */
export function tested<Value extends Json>(
  words: string,
  test: (value: Json | undefined) => value is Value,
): Shape<Value> {
  return (value, at) => (test(value) ? [] : [`${at} is not ${words}`])
}

/** Makes the shape of some values. */
export function literal<const Value extends Json>(values: readonly Value[]): Shape<Value> {
  const words = `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`
  return tested(words, (value): value is Value => values.some((candidate) => candidate === value))
}

/** Makes the shape of the values of two shapes. */
export function either<First, Second>(
  first: Shape<First>,
  second: Shape<Second>,
): Shape<First | Second> {
  return (value, at) => ([...first(value, at)].length === 0 ? [] : second(value, at))
}

/** Makes the shape that takes `null` too. */
export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  return (value, at) => (value === null ? [] : shape(value, at))
}

/** Makes the shape of a member that may be missing. */
export function optional<Value>(shape: Shape<Value>): OptionalShape<Value> {
  const check: Shape<Value> = (value, at) => (value === undefined ? [] : shape(value, at))
  return Object.assign(check, { isOptional: true } as const)
}

/** Makes the shape of a list. */
export function list<Value>(shape: Shape<Value>): Shape<readonly Value[]> {
  return function* (value, at) {
    if (!Array.isArray(value)) yield `${at} is not a list`
    else for (const [index, element] of value.entries()) yield* shape(element, `${at}/${index}`)
  }
}

/** Makes the shape of an object with members of any names. */
export function record<Value>(shape: Shape<Value>): Shape<{ readonly [name: string]: Value }> {
  return function* (value, at) {
    if (!isJsonObject(value)) yield `${at} is not an object`
    else for (const [name, member] of Object.entries(value)) yield* shape(member, `${at}/${name}`)
  }
}

/** Makes the shape of an object with some members. It may have others. */
export function object<Members extends Shapes>(members: Members): Shape<ObjectOf<Members>> {
  return function* (value, at) {
    if (!isJsonObject(value)) return yield `${at} is not an object`
    for (const [name, shape] of Object.entries(members))
      yield* shape(Object.hasOwn(value, name) ? value[name] : undefined, `${at}/${name}`)
  }
}
