import { isRecord } from '../model/declared.ts'
import { createJsonSchemaReader, followReference, type JsonSchema } from '../model/json-schema.ts'
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

/** Makes who tells of schemas. */
export function createTell({ toJsonSchema }: Pick<OpenApiOptions, 'toJsonSchema'>): Tell {
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
