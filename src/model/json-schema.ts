import { isRecord } from './declared.ts'
import { fieldOf } from './operation.ts'
import type { StandardSchema } from './schema.ts'

/** A JSON Schema, as far as anybody here looks into one. */
export type JsonSchema = object

/** Gives the JSON Schema (2020-12) of what a schema takes (`input`) or lets through (`output`); `undefined` where it does not know. */
export type ToJsonSchema = (
  schema: StandardSchema,
  direction: 'input' | 'output',
) => object | undefined

/** Which side of a schema is asked for, and how. */
export interface Asked {
  /** What it takes, or what it lets through. Default: `output`. */
  readonly direction?: 'input' | 'output'
  /** Handed on to the library that made the schema. Default: none. */
  readonly libraryOptions?: Readonly<Record<string, unknown>>
}

/**
 * The JSON Schema of what a schema takes or lets through, from the schema itself; `undefined` where it does not tell.
 *
 * @see https://standardschema.dev/json-schema
 */
export function jsonSchemaOf(
  schema: StandardSchema,
  { direction = 'output', ...options }: Asked = {},
): JsonSchema | undefined {
  const converter: unknown = fieldOf(schema['~standard'], 'jsonSchema')
  const convert: unknown = Reflect.get(Object(converter), direction)
  if (typeof convert !== 'function') return undefined
  try {
    const json: unknown = convert.call(converter, { target: 'draft-2020-12', ...options })
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    // What it takes or lets through is nothing that JSON Schema can say.
    return undefined
  }
}

/**
 * Makes who tells the JSON Schema of any schema: `toJsonSchema` is asked first, then the schema itself. Each is asked once, since
 * some make up names, and others the next time.
 */
export function createTeller(
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
        // zod's word for leaving a field open instead of failing for all of them.
        plain(() => jsonSchemaOf(schema, { direction, libraryOptions: { unrepresentable: 'any' } }))
      told.set(schema, json)
    }
    return told.get(schema)
  }
}

// A converter throws at what JSON Schema cannot say, and what it gives may not be JSON.
function plain(make: () => object | undefined): Readonly<Record<string, unknown>> | undefined {
  try {
    const json: unknown = JSON.parse(JSON.stringify(make()))
    return isRecord(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** The schemas a value may have to meet: alternatives and parts of a JSON Schema, references followed, without the boxes they came in. */
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

/** A list in a JSON Schema; empty where there is none. */
export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function referredTo(schema: object, root: JsonSchema): unknown {
  const reference = fieldOf(schema, '$ref')
  return typeof reference === 'string' ? targetOf(reference, root) : undefined
}

/** What a reference within a JSON Schema leads to: `#/$defs/address`; `undefined` where that is nothing, or elsewhere. */
export function targetOf(reference: string, root: JsonSchema): unknown {
  if (!/^#(?:\/|$)/.test(reference)) return undefined
  const steps = reference.split('/').slice(1)
  return steps.reduce<unknown>((place, step) => memberOf(Object(place), step), root)
}

// A step is escaped as in a JSON Pointer, and then, by some, as in a URL (RFC 6901 §6).
function memberOf(place: object, step: string): unknown {
  const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
  if (Object.hasOwn(place, key) || !key.includes('%')) return fieldOf(place, key)
  try {
    return fieldOf(place, decodeURIComponent(key))
  } catch {
    return undefined
  }
}
