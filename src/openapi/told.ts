import { isRecord } from '../model/declared.ts'
import { type JsonSchema, jsonSchemaOf, targetOf } from '../model/json-schema.ts'
import type { StandardSchema } from '../model/schema.ts'
import type { OpenApiOptions } from './options.ts'
import type { Node } from './walk.ts'

/** What is told of a schema. */
interface Told {
  /** What its references are relative to. */
  readonly root: JsonSchema
  /** What the root stands for, where it is but a reference. */
  readonly body: Node
}

/** The JSON Schema of one side of a schema; `undefined` where nobody can tell. */
export type Tell = (schema: StandardSchema, direction: 'input' | 'output') => Told | undefined

/** Makes who asks schemas, each only once: those who make up names do not make up the same ones twice. */
export function createTell({ toJsonSchema }: Pick<OpenApiOptions, 'toJsonSchema'>): Tell {
  const known = {
    input: new Map<object, Told | undefined>(),
    output: new Map<object, Told | undefined>(),
  }
  return (schema, direction) => {
    const told = known[direction]
    if (!told.has(schema)) told.set(schema, tell(schema, direction, toJsonSchema))
    return told.get(schema)
  }
}

function tell(
  schema: StandardSchema,
  direction: 'input' | 'output',
  toJsonSchema: OpenApiOptions['toJsonSchema'],
): Told | undefined {
  const root =
    plain(() => toJsonSchema?.(schema, direction)) ??
    plain(() => jsonSchemaOf(schema, { direction })) ??
    // zod's word for leaving a field open instead of failing for all of them.
    plain(() => jsonSchemaOf(schema, { direction, libraryOptions: { unrepresentable: 'any' } }))
  return root === undefined ? undefined : { root, body: bodyOf(root, root) }
}

// A converter fails where JSON Schema cannot say what is meant, and what it gives may not be JSON.
function plain(make: () => object | undefined): Node | undefined {
  try {
    const json: unknown = JSON.parse(JSON.stringify(make()))
    return isRecord(json) ? json : undefined
  } catch {
    return undefined
  }
}

const frame: ReadonlySet<string> = new Set(['$schema', '$id', '$defs', 'definitions', '$ref'])

function bodyOf(schema: Node, root: Node): Node {
  const { $ref } = schema
  if (typeof $ref !== 'string' || !Object.keys(schema).every((key) => frame.has(key))) return schema
  const target = targetOf($ref, root)
  return isRecord(target) && target !== root && target !== schema && !Object.hasOwn(target, '$ref')
    ? target
    : schema
}
