import { followReference, type JsonSchema, jsonSchemaOf, listOf } from './json-schema.ts'
import { bodySchemaOf, kindsWithout } from './kinds.ts'
import { fieldOf } from './operation.ts'
import { isAny } from './outline.ts'
import type { Resource } from './resource.ts'
import type { StandardSchema } from './schema.ts'

type Names = readonly string[]

const known = new WeakMap<StandardSchema, Names | undefined>()

/**
 * Returns the fields of every object that a schema returns, fields with a default among them.
 * Returns `undefined` for a schema without a JSON Schema, and for one that takes anything.
 */
export function requiredFieldsOf(schema: StandardSchema): Names | undefined {
  if (known.has(schema)) return known.get(schema)
  const json = jsonSchemaOf(schema)
  const isTold = json !== undefined && !isAny(json)
  const names = isTold ? namesIn(json, { root: json, outer: [] }) : undefined
  const distinct = names && Object.freeze([...new Set(names)])
  known.set(schema, distinct)
  return distinct
}

interface Walk {
  readonly root: JsonSchema
  /** The schemas around this one, since a schema can hold itself. */
  readonly outer: readonly unknown[]
}

// Returns `undefined` for a schema that no object meets: an item is always an object.
function namesIn(schema: unknown, { root, outer }: Walk): Names | undefined {
  if (schema === false || outer.includes(schema)) return undefined
  if (typeof schema !== 'object' || schema === null) return []
  const type = fieldOf(schema, 'type')
  if (type !== undefined && type !== 'object' && !listOf(type).includes('object')) return undefined
  const inner = (part: unknown): Names | undefined =>
    namesIn(part, { root, outer: [...outer, schema] })
  const partsAt = (key: string): readonly unknown[] => listOf(fieldOf(schema, key))
  const reference = fieldOf(schema, '$ref')
  const target = typeof reference === 'string' ? [followReference(reference, root)] : []
  const parts = [...partsAt('allOf'), ...target].map(inner)
  const choices = ['anyOf', 'oneOf'].map((key) => sharedBy(partsAt(key).map(inner)))
  const own = listOf(fieldOf(schema, 'required')).filter((name) => typeof name === 'string')
  const told = parts.filter((names) => names !== undefined)
  return told.length < parts.length ? undefined : [...own, ...[...told, ...choices].flat()]
}

function sharedBy(choices: readonly (Names | undefined)[]): Names {
  const [first = [], ...others] = choices.filter((names) => names !== undefined)
  return first.filter((name) => others.every((names) => names.includes(name)))
}

interface Mounted {
  readonly path: string
  readonly resource: Resource
  readonly parameters: Names
}

/**
 * Checks that every write at a path sets each field that an item requires.
 *
 * @throws {TypeError} With the fields that neither the client has to send nor the server sets.
 */
export function checkRequired({ path, resource, parameters }: Mounted): void {
  const { schema, readOnly, filled, without } = resource
  const set = new Set(['id', ...parameters, ...readOnly, ...filled])
  for (const body of ['create', 'update'] as const) {
    const offered = kindsWithout(without).filter((kind) => bodySchemaOf(kind) === body)
    if (offered.length === 0 || resource[body] === schema) continue
    const sent = requiredFieldsOf(resource[body])
    const open = (sent && requiredFieldsOf(schema))?.filter(
      (field) => !set.has(field) && !sent.includes(field),
    )
    if (open === undefined || open.length === 0) continue
    const it = open.length === 1 ? 'it' : 'them'
    const target = `Path "${path}" offers ${offered.join(', ')}, but its "${body}"`
    throw new TypeError(
      `${target} does not require ${listed(open, '"')} as "schema" does: require ${it} there. ` +
        `If the adapter sets ${it}, write "filled: [${listed(open, "'")}]" or "readOnly". ` +
        `Or write "without: [${listed(offered, "'")}]".`,
    )
  }
}

function listed(names: Names, quote: string): string {
  return names.map((name) => quote + name + quote).join(', ')
}
