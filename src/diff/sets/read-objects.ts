import { listOf } from '../../contract/schema/json-schema.ts'
import { isRecord } from '../../convention/value.ts'
import type { ReadSet, SchemaNode } from './document.ts'
import { isMatch } from './patterns.ts'
import { isCounter } from './read-texts.ts'
import {
  type Keyword,
  type Members,
  type ObjectKeyword,
  setOf,
  type ValueSet,
} from './value-set.ts'

/** Reads the keywords of a JSON Schema about objects. */
export function readObjects(schema: SchemaNode, read: ReadSet): readonly Keyword[] {
  const { minProperties, maxProperties, propertyNames } = schema
  const keywords: Keyword[] = []
  if (isCounter(minProperties)) keywords.push({ kind: 'minProperties', count: minProperties })
  if (isCounter(maxProperties)) keywords.push({ kind: 'maxProperties', count: maxProperties })
  for (const name of namesIn(schema.required)) keywords.push({ kind: 'required', name })
  if (propertyNames !== undefined) keywords.push({ kind: 'names', set: read(propertyNames) })
  const members = readMembers(schema, read)
  if (members !== undefined) keywords.push(judgedOf(members))
  return [...keywords, ...readDependents(schema, read)]
}

/** Returns the keyword of members; an opaque one for a pattern that nothing can read. */
export function judgedOf(members: Members): Keyword {
  const unread = members.patterns.find(([source]) => isMatch(source, '') === undefined)
  if (unread === undefined) return { kind: 'members', members }
  return { kind: 'opaque', because: `no pattern can be read from ${unread[0]}` }
}

/** Returns the names in a list of a JSON Schema. */
export function namesIn(list: unknown): readonly string[] {
  return listOf(list).filter((name) => typeof name === 'string')
}

function readMembers(schema: SchemaNode, read: ReadSet): Members | undefined {
  const properties = setsIn(schema.properties, read)
  const patterns = setsIn(schema.patternProperties, read)
  const { additionalProperties: rest } = schema
  const isAny = rest === undefined || rest === true
  if (properties.length === 0 && patterns.length === 0 && isAny) return undefined
  return { properties: new Map(properties), patterns, rest: isAny ? undefined : read(rest) }
}

function setsIn(map: unknown, read: ReadSet): readonly (readonly [string, ValueSet])[] {
  return isRecord(map) ? Object.entries(map).map(([name, schema]) => [name, read(schema)]) : []
}

// Draft 7 has both kinds of dependency in one keyword.
function readDependents(schema: SchemaNode, read: ReadSet): readonly ObjectKeyword[] {
  const entries = ['dependentRequired', 'dependentSchemas', 'dependencies'].flatMap((keyword) =>
    Object.entries(Object(schema[keyword])),
  )
  return entries.map(([name, needs]) => {
    const required = namesIn(needs).map(
      (other): ObjectKeyword => ({
        kind: 'required',
        name: other,
      }),
    )
    const set = Array.isArray(needs) ? setOf(...required) : read(needs)
    return { kind: 'dependent', name, set }
  })
}
