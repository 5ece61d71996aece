import { isRecord } from '../../model/declared.ts'
import { followReference } from '../../model/json-schema.ts'
import { fieldOf } from '../../model/value.ts'
import { essenceOf, schemasIn } from './keyword-names.ts'
import type { ValueSet } from './value-set.ts'

/** Reads a schema inside a document. */
export type ReadSet = (schema: unknown) => ValueSet

/** A JSON Schema as keywords by name. */
export type SchemaNode = Readonly<Record<string, unknown>>

/** A JSON Schema with what its references lead to. */
export interface SchemaDocument {
  readonly root: object
  /** Keywords beside `$ref` count, as since draft 2019-09. */
  readonly readsSiblings: boolean
  /** Returns the target of a reference; `undefined` for one that leads out or to nothing. */
  readonly follow: (reference: string) => unknown
  /** Returns a text that tells the schemas with the same values. */
  readonly keyOf: (schema: unknown) => string
}

/** Reads the references of a JSON Schema. */
export function readDocument(root: object): SchemaDocument {
  const targets = new Map<string, unknown>()
  const follow = (reference: string): unknown => {
    if (!targets.has(reference)) targets.set(reference, targetOf(reference, root))
    return targets.get(reference)
  }
  const keys = new Map<unknown, string>()
  const keyOf = (schema: unknown): string => {
    const known = keys.get(schema)
    if (known !== undefined) return known
    const key = keyWith(schema, follow)
    keys.set(schema, key)
    return key
  }
  const draft = fieldOf(root, '$schema')
  const readsSiblings = !(typeof draft === 'string' && /draft-0[3-7]/.test(draft))
  return { root, readsSiblings, follow, keyOf }
}

// The schema itself, and every schema that it refers to.
function keyWith(schema: unknown, follow: SchemaDocument['follow']): string {
  const essence = JSON.stringify(essenceOf(schema))
  const references = new Set<string>()
  const collect = (part: unknown): void => {
    if (!isRecord(part)) return
    const reference = part.$ref
    if (typeof reference === 'string' && !references.has(reference)) {
      references.add(reference)
      collect(follow(reference))
    }
    for (const inner of schemasIn(part)) collect(inner)
  }
  collect(schema)
  if (references.size === 0) return essence
  const targets = [...references]
    .sort()
    .map((reference) => [reference, essenceOf(follow(reference))])
  return `${essence} where ${JSON.stringify(targets)}`
}

function targetOf(reference: string, root: object): unknown {
  const local = followReference(reference, root)
  if (local !== undefined) return local
  const id = fieldOf(root, '$id')
  if (typeof id === 'string' && reference === id) return root
  if (typeof id === 'string' && reference.startsWith(`${id}#`))
    return targetOf(reference.slice(id.length), root)
  // Without `$id`, a name after "#" is an anchor; with one, the last segment of the address.
  return findNamed(reference, root, new Set())
}

function findNamed(reference: string, part: unknown, seen: Set<unknown>): unknown {
  if (!isRecord(part) || seen.has(part)) return undefined
  seen.add(part)
  if (`#${part.$anchor}` === reference || part.$id === reference) return part
  const shelves = ['$defs', 'definitions'].flatMap((name) => Object.values(Object(part[name])))
  for (const inner of [...schemasIn(part), ...shelves]) {
    const found = findNamed(reference, inner, seen)
    if (found !== undefined) return found
  }
  return undefined
}
