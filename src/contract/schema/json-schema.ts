import { fieldOf, isRecord } from '../../convention/value.ts'
import type { StandardSchema } from './schema.ts'

/** A JSON Schema. */
export type JsonSchema = object

/**
 * Returns the JSON Schema (2020-12) of a schema's `input` or `output`; `undefined` for an unknown
 * schema.
 */
export type ToJsonSchema = (
  schema: StandardSchema,
  direction: 'input' | 'output',
) => object | undefined

/** The side of a schema (default: `output`), and options of the library that made it. */
export interface SchemaSide {
  readonly direction?: 'input' | 'output'
  readonly libraryOptions?: Readonly<Record<string, unknown>>
}

/**
 * Returns the JSON Schema that a schema gives of itself; `undefined` for none.
 *
 * @see https://standardschema.dev/json-schema
 */
export function jsonSchemaOf(
  schema: StandardSchema,
  { direction = 'output', ...options }: SchemaSide = {},
): JsonSchema | undefined {
  const converter: unknown = fieldOf(schema['~standard'], 'jsonSchema')
  const convert: unknown = Reflect.get(Object(converter), direction)
  if (typeof convert !== 'function') return undefined
  try {
    const json: unknown = convert.call(converter, { target: 'draft-2020-12', ...options })
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    // JSON Schema cannot express the schema.
    return undefined
  }
}

type Json = Readonly<Record<string, unknown>> | undefined

/**
 * Makes a function that returns the JSON Schema of any schema: from `toJsonSchema`, else from the
 * schema itself. It converts each schema once, since some converters make up new names each time.
 */
export function createJsonSchemaReader(
  toJsonSchema: ToJsonSchema = () => undefined,
): (...args: Parameters<ToJsonSchema>) => Json {
  const caches = { input: new Map<StandardSchema, Json>(), output: new Map<StandardSchema, Json>() }
  return (schema, direction) => {
    const cache = caches[direction]
    if (!cache.has(schema)) {
      const json =
        readPlainJson(() => toJsonSchema(schema, direction)) ??
        readPlainJson(() => jsonSchemaOf(schema, { direction })) ??
        // Makes zod leave a field open instead of failing for all fields.
        readPlainJson(() =>
          jsonSchemaOf(schema, { direction, libraryOptions: { unrepresentable: 'any' } }),
        )
      cache.set(schema, json)
    }
    return cache.get(schema)
  }
}

// A converter can throw, or return a value that is no JSON.
function readPlainJson(make: () => object | undefined): Json {
  try {
    const json: unknown = JSON.parse(JSON.stringify(make()))
    return isRecord(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** Returns a JSON Schema with its alternatives and members, references followed. */
export function membersOf(schema: JsonSchema, root: JsonSchema = schema): readonly JsonSchema[] {
  const members = new Set<JsonSchema>()
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || members.has(value)) return
    members.add(value)
    const { all, choices } = partsOf(value, root)
    for (const inner of [...choices.flat(), ...all]) visit(inner)
  }
  visit(schema)
  return [...members]
}

/** Folds a JSON Schema into a result, from its innermost schemas. */
export interface Fold<Result> {
  /** The result of a schema that accepts anything. */
  readonly anything: Result
  /** The result of a schema that accepts nothing. */
  readonly nothing: Result
  /** The result of a schema that is one of the schemas around it. */
  readonly loop: Result
  /** Joins a schema with the results of its members: it meets all, and some of each choice. */
  join(schema: JsonSchema, all: readonly Result[], choices: readonly (readonly Result[])[]): Result
}

/** Returns the result of a {@link Fold} for a JSON Schema. */
export function foldSchema<Result>(
  schema: unknown,
  root: JsonSchema,
  fold: Fold<Result>,
  outer: readonly JsonSchema[] = [],
): Result {
  if (schema === false) return fold.nothing
  if (typeof schema !== 'object' || schema === null) return fold.anything
  if (outer.includes(schema)) return fold.loop
  const resultOf = (inner: unknown): Result => foldSchema(inner, root, fold, [...outer, schema])
  const { all, choices } = partsOf(schema, root)
  return fold.join(
    schema,
    all.map(resultOf),
    choices.map((choice) => choice.map(resultOf)),
  )
}

interface Parts {
  /** `allOf` and the target of `$ref`. */
  readonly all: readonly unknown[]
  /** `anyOf` and `oneOf`, as far as they have alternatives. */
  readonly choices: readonly (readonly unknown[])[]
}

function partsOf(schema: JsonSchema, root: JsonSchema): Parts {
  const reference = fieldOf(schema, '$ref')
  const target = typeof reference === 'string' ? [followReference(reference, root)] : []
  const choices = ['anyOf', 'oneOf'].map((key) => listOf(fieldOf(schema, key)))
  return {
    all: [...listOf(fieldOf(schema, 'allOf')), ...target],
    choices: choices.filter(({ length }) => length > 0),
  }
}

/** Returns a list in a JSON Schema; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the types that a JSON Schema names; empty for any type. */
export function typesOf(schema: JsonSchema): readonly unknown[] {
  const type = fieldOf(schema, 'type')
  return typeof type === 'string' ? [type] : listOf(type)
}

/**
 * Follows a reference within a JSON Schema: `#/$defs/address`; `undefined` where it leads to
 * nothing, or out of the schema.
 */
export function followReference(reference: string, root: JsonSchema): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined
  const steps = reference.split('/').slice(1)
  return steps.reduce<unknown>((place, step) => memberOf(Object(place), step), root)
}

// A step has the escapes of a JSON Pointer and, from some libraries, of a URL (RFC 6901 §6).
function memberOf(place: object, step: string): unknown {
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
  if (Object.hasOwn(place, key) || !key.includes('%')) return fieldOf(place, key)
  try {
    return fieldOf(place, decodeURIComponent(key))
  } catch {
    return undefined
  }
}

/** Returns the properties that a JSON Schema names, with their schemas. */
export function propertiesOf(schema: JsonSchema): (readonly [string, JsonSchema])[] {
  return Object.entries(Object(fieldOf(schema, 'properties'))).map(([name, property]) => [
    name,
    isJsonSchema(property) ? property : {},
  ])
}

const restrictingKeywords = ['type', 'properties', 'enum', 'const', '$ref']

/** Tells whether a JSON Schema takes any value. */
export function isAny(schema: JsonSchema): boolean {
  const choices = ['anyOf', 'oneOf', 'allOf'].filter((key) => Object.hasOwn(schema, key))
  if (choices.some((key) => listOf(fieldOf(schema, key)).includes(true))) return true
  return choices.length === 0 && !restrictingKeywords.some((key) => Object.hasOwn(schema, key))
}

/** Tells whether a part of a JSON Schema is a schema of members: not `true`, and not absent. */
export function isJsonSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null
}
