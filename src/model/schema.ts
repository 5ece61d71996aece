/**
 * A validator of any library that speaks Standard Schema 1 (zod, valibot, arktype, …); these are the
 * types of that standard, copied so that no validator is a dependency.
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

/** What a validator answers: the cleaned value, or issues. */
export type SchemaResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] }

/** One fault a validator found; `path` leads to it from the top of the value. */
export interface SchemaIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
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
 * The names of fields JSON cannot carry unchanged (`Date`, `bigint`, `Map`, functions, …); `never` when all are fine.
 * An item describes the wire, so those are refused where a resource is defined.
 */
export type NotJson<Item> = {
  [Field in keyof Item]-?: Exclude<Item[Field], undefined> extends JsonOf<
    Exclude<Item[Field], undefined>
  >
    ? never
    : Field
}[keyof Item]

/** The names of the fields whose values, where there are any, are of a kind; those of unknown values too. */
export type FieldOfKind<Item, Kind> = {
  [Field in keyof Item & string]-?: unknown extends Item[Field]
    ? Field
    : [Item[Field]] extends [Kind | null | undefined]
      ? Field
      : never
}[keyof Item & string]

// The type itself where JSON carries it, something it is not assignable to where not. Its members are looked at one by one and
// only when they are compared, so that types that hold themselves are no trouble.
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
