import { fieldOf } from './operation.ts'
import type { StandardSchema } from './schema.ts'

/** A JSON Schema, as far as anybody here looks into one. */
export type JsonSchema = object

/**
 * The JSON Schema of what a schema lets through, from the schema itself; `undefined` where it does not tell.
 *
 * @see https://standardschema.dev/json-schema
 */
export function jsonSchemaOf(schema: StandardSchema): JsonSchema | undefined {
  const converter: unknown = fieldOf(schema['~standard'], 'jsonSchema')
  const output: unknown = Reflect.get(Object(converter), 'output')
  if (typeof output !== 'function') return undefined
  try {
    const json: unknown = output.call(converter, { target: 'draft-2020-12' })
    return typeof json === 'object' && json !== null ? json : undefined
  } catch {
    // What it lets through is nothing that JSON Schema can say.
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
  if (typeof reference !== 'string' || !reference.startsWith('#')) return undefined
  const steps = reference.slice(1).split('/').slice(1)
  return steps.reduce<unknown>(
    (place, step) => fieldOf(Object(place), step.replaceAll('~1', '/').replaceAll('~0', '~')),
    root,
  )
}
