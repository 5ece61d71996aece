import { isRecord } from './declared.ts'
import { fieldOf } from './operation.ts'
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

/** The side of a schema, and options of its library. */
export interface SchemaSide {
  /** The values that the schema takes, or the values that it returns. Default: `output`. */
  readonly direction?: 'input' | 'output'
  /** For the library that made the schema. Default: none. */
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

/**
 * Makes a function that returns the JSON Schema of any schema: from `toJsonSchema`, else from the
 * schema itself. It converts each schema once, since some converters make up new names each time.
 */
export function createJsonSchemaReader(
  toJsonSchema: ToJsonSchema = () => undefined,
): (...asked: Parameters<ToJsonSchema>) => Readonly<Record<string, unknown>> | undefined {
  const known = {
    input: new Map<StandardSchema, Readonly<Record<string, unknown>> | undefined>(),
    output: new Map<StandardSchema, Readonly<Record<string, unknown>> | undefined>(),
  }
  return (schema, direction) => {
    const told = known[direction]
    if (!told.has(schema)) {
      const json =
        plain(() => toJsonSchema(schema, direction)) ??
        plain(() => jsonSchemaOf(schema, { direction })) ??
        // Makes zod leave a field open instead of failing for all fields.
        plain(() => jsonSchemaOf(schema, { direction, libraryOptions: { unrepresentable: 'any' } }))
      told.set(schema, json)
    }
    return told.get(schema)
  }
}

// A converter can throw, or return a value that is no JSON.
function plain(make: () => object | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(JSON.stringify(make()))
    return isRecord(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** Returns a JSON Schema with its alternatives and parts, references followed. */
export function membersOf(schema: JsonSchema, root: JsonSchema = schema): readonly JsonSchema[] {
  return membersIn(schema, { root, seen: new Set() })
}

interface Walk {
  readonly root: JsonSchema
  readonly seen: Set<unknown>
}

function membersIn(schema: unknown, walk: Walk): readonly JsonSchema[] {
  if (typeof schema !== 'object' || schema === null || walk.seen.has(schema)) return []
  walk.seen.add(schema)
  const parts = ['anyOf', 'oneOf', 'allOf'].flatMap((key) => listOf(fieldOf(schema, key)))
  const inner = [...parts, referredTo(schema, walk.root)].flatMap((part) => membersIn(part, walk))
  return [schema, ...inner]
}

/** Returns a list in a JSON Schema; empty for any other value. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function referredTo(schema: object, root: JsonSchema): unknown {
  const reference = fieldOf(schema, '$ref')
  return typeof reference === 'string' ? followReference(reference, root) : undefined
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
