/**
 * A validator of any library with Standard Schema 1 (zod, valibot, arktype, …). The types are a
 * copy of the standard's, so that no validator is a dependency.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => SchemaResult<Output> | Promise<SchemaResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** Tells whether a value is a validator with Standard Schema. */
export function isStandardSchema(value: StandardSchema | undefined): value is StandardSchema {
  return typeof value?.['~standard']?.validate === 'function'
}

/** The result of a validator: the cleaned value, or issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** One fault of a value; `path` leads to it from the top. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Returns the keys that lead to the fault of an issue: `['address', 'city']`. */
export function pathOfIssue({ path = [] }: SchemaIssue): readonly PropertyKey[] {
  return path.map((segment) => (typeof segment === 'object' ? segment.key : segment))
}

/** A value that JSON carries unchanged. */
export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json }

/**
 * The names of the fields that JSON cannot carry unchanged (`Date`, `bigint`, `Map`, functions, …);
 * `never` for none. `defineResource` refuses them.
 */
export type NotJson<Item> = {
  [Field in keyof Item]-?: Exclude<Item[Field], undefined> extends JsonOf<
    Exclude<Item[Field], undefined>
  >
    ? never
    : Field
}[keyof Item]

/** The names of the fields whose values are of a kind, missing or unknown. */
export type FieldOfKind<Item, Kind> = {
  [Field in keyof Item & string]-?: unknown extends Item[Field]
    ? Field
    : [Item[Field]] extends [Kind | null | undefined]
      ? Field
      : never
}[keyof Item & string]

/** A value of one field that parameters name. */
type Comparable = string | number | boolean

/**
 * The names of the fields that clients may filter by: values, and lists of them. A member of an
 * object has a path: `address.city`.
 */
export type FilterableIn<Item> =
  | FieldOfKind<Item, Comparable | readonly (Comparable | null)[]>
  | PathIn<Item>

type PathIn<Item> = {
  [Field in keyof Item & string]-?: PathAt<Field, NonNullable<Item[Field]>>
}[keyof Item & string]

type PathAt<Field extends string, Content> = unknown extends Content
  ? `${Field}.${string}`
  : Content extends readonly unknown[]
    ? never
    : Content extends object
      ? `${Field}.${string extends keyof Content ? string : FieldOfKind<Content, Comparable>}`
      : never

// The type itself if JSON carries it, else a type that it is not assignable to. The compiler looks
// at
// one member at a time, so that a type can hold itself.
type JsonOf<Value> = unknown extends Value
  ? Value
  : Value extends Json | undefined
    ? Value
    : Value extends Unwritable
      ? never
      : { [Key in keyof Value]: JsonOf<Value[Key]> }

type Unwritable =
  | bigint
  | symbol
  | Date
  | RegExp
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>
  | ((...args: never) => unknown)
