import {
  createJsonSchemaReader,
  followReference,
  type JsonSchema,
} from '../contract/schema/json-schema.ts'
import type { StandardSchema } from '../contract/schema/schema.ts'
import { isRecord } from '../convention/declared.ts'
import type { OpenApiOptions } from './options.ts'
import type { Node } from './walk.ts'

/** A JSON Schema of a Standard Schema. */
export interface FoundSchema {
  /** The document that its references are relative to. */
  readonly root: JsonSchema
  /** The root, or its target if the root is only a reference. */
  readonly body: Node
}

/** Returns the JSON Schema of a schema's input or output; `undefined` when it is unknown. */
export type SchemaOf = (
  schema: StandardSchema,
  direction: 'input' | 'output',
) => FoundSchema | undefined

/** Makes a {@link SchemaOf} that tries the option `toJsonSchema` first. */
export function createSchemaOf({ toJsonSchema }: Pick<OpenApiOptions, 'toJsonSchema'>): SchemaOf {
  const tell = createJsonSchemaReader(toJsonSchema)
  return (schema, direction) => {
    const root = tell(schema, direction)
    return root && { root, body: bodyOf(root, root) }
  }
}

const frame: ReadonlySet<string> = new Set(['$schema', '$id', '$defs', 'definitions', '$ref'])

function bodyOf(schema: Node, root: Node): Node {
  const { $ref } = schema
  if (typeof $ref !== 'string' || !Object.keys(schema).every((key) => frame.has(key))) return schema
  const target = followReference($ref, root)
  return isRecord(target) && target !== root && target !== schema && !Object.hasOwn(target, '$ref')
    ? target
    : schema
}
