import { createHash } from 'node:crypto'
import { isRecord } from '../../model/declared.ts'
import { fieldOf } from '../../model/value.ts'
import { compareText } from '../canonical.ts'
import { essenceOf, schemasIn } from './keyword-names.ts'
import { findResources, targetFrom } from './resources.ts'
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
  /** Returns the target of `$ref` of a schema; `undefined` for none, and for one that leads out. */
  readonly follow: (schema: SchemaNode) => unknown
  /** Returns a text that tells the schemas with the same values. */
  readonly keyOf: (schema: unknown) => string
}

/** Reads the references of a JSON Schema. */
export function readDocument(root: object): SchemaDocument {
  const draft = fieldOf(root, '$schema')
  const readsSiblings = !(typeof draft === 'string' && /draft-0[3-7]/.test(draft))
  const resources = findResources(root, { readsSiblings })
  const targets = new Map<object, unknown>()
  const follow = (schema: SchemaNode): unknown => {
    const { $ref } = schema
    if (typeof $ref !== 'string') return undefined
    if (!targets.has(schema)) targets.set(schema, targetFrom($ref, resources.of(schema), resources))
    return targets.get(schema)
  }
  const mark = readsSiblings ? 'where' : 'with only'
  const keys = new Map<unknown, string>()
  let identity: string | undefined
  const keyOf = (schema: unknown): string => {
    const known = keys.get(schema)
    if (known !== undefined) return known
    const essence = JSON.stringify(essenceOf(schema))
    const { targets, isClosed } = reachOf(schema, follow)
    const isOwn = !isClosed || (targets.size > 0 && resources.all.size > 1)
    if (isOwn) identity ??= identityOf(root)
    const parts = [...targets]
      .sort(([one], [other]) => compareText(one, other))
      .map(([name, target]) => [name, essenceOf(target)])
    const where = parts.length > 0 ? ` ${mark} ${JSON.stringify(parts)}` : ''
    const key = essence + where + (isOwn ? ` in ${identity}` : '')
    keys.set(schema, key)
    return key
  }
  return { root, readsSiblings, follow, keyOf }
}

interface Reach {
  /** What the references in a schema lead to, also through others. */
  readonly targets: ReadonlyMap<string, unknown>
  /** The schema and the targets tell its values, whatever else its document holds. */
  readonly isClosed: boolean
}

function reachOf(schema: unknown, follow: SchemaDocument['follow']): Reach {
  const targets = new Map<string, unknown>()
  let isClosed = true
  const collect = (part: unknown): void => {
    if (!isRecord(part)) return
    const { $ref, $dynamicRef, $recursiveRef } = part
    if ($dynamicRef !== undefined || $recursiveRef !== undefined) isClosed = false
    if (typeof $ref === 'string' && !targets.has($ref)) {
      const target = follow(part)
      targets.set($ref, target)
      if (target === undefined) isClosed = false
      collect(target)
    }
    for (const inner of schemasIn(part)) collect(inner)
  }
  collect(schema)
  return { targets, isClosed }
}

function identityOf(root: object): string {
  return createHash('sha256').update(JSON.stringify(root)).digest('hex')
}
