import { listOf } from '../../contract/schema/json-schema.ts'
import { isRecord } from '../../convention/value.ts'
import { type ReadSet, readDocument, type SchemaDocument, type SchemaNode } from './document.ts'
import { readUnevaluated } from './evaluated.ts'
import { readLists } from './read-lists.ts'
import { readNumbers } from './read-numbers.ts'
import { readObjects } from './read-objects.ts'
import { readTexts } from './read-texts.ts'
import {
  anyValue,
  type JsonType,
  jsonTypes,
  type Keyword,
  noValue,
  type ValueSet,
} from './value-set.ts'

/** Reads a JSON Schema (draft 4 to 2020-12, OpenAPI 3.0) as the set of its values. */
export function readSet(schema: object | boolean): ValueSet {
  if (typeof schema === 'boolean') return schema ? anyValue : noValue
  return readSetIn(readDocument(schema))(schema)
}

/** Makes the reader of the schemas of one document. */
export function readSetIn(document: SchemaDocument): ReadSet {
  const known = new Map<object, ValueSet>()
  const read: ReadSet = (written) => {
    const schema = document.resolve(written)
    if (schema === false) return noValue
    if (!isRecord(schema)) return anyValue
    const before = known.get(schema)
    if (before !== undefined) return before
    let keywords: readonly Keyword[] | undefined
    const set: ValueSet = {
      key: document.keyOf(schema),
      keywords: () => {
        keywords ??= readKeywords(schema, document, read)
        return keywords
      },
    }
    known.set(schema, set)
    return set
  }
  return read
}

function readKeywords(
  schema: SchemaNode,
  document: SchemaDocument,
  read: ReadSet,
): readonly Keyword[] {
  const targets = readReferences(schema, document, read)
  if (typeof schema.$ref === 'string' && !document.readsSiblings) return targets
  return [
    ...targets,
    ...readTypes(schema),
    ...readChoices(schema, read),
    ...readNumbers(schema),
    ...readTexts(schema),
    ...readLists(schema, read),
    ...readObjects(schema, read),
    ...readUnevaluated(schema, { read, document }),
  ]
}

function readReferences(
  schema: SchemaNode,
  { targetsOf }: SchemaDocument,
  read: ReadSet,
): readonly Keyword[] {
  return targetsOf(schema).map(([keyword, target]) => {
    if (target !== undefined) return { kind: 'all', sets: [read(target)] }
    const because =
      keyword === '$ref'
        ? `the reference ${schema.$ref} leads to nothing in the document`
        : `the keyword "${keyword}" is not compared`
    return { kind: 'opaque', because }
  })
}

function readTypes({ type, nullable, ...rest }: SchemaNode): readonly Keyword[] {
  const names = [...(Array.isArray(type) ? type : type === undefined ? [] : [type])]
  // OpenAPI 3.0: `nullable` counts beside a `type` alone.
  if (names.length > 0 && nullable === true) names.push('null')
  const types = jsonTypes.filter(
    (name: JsonType) => names.includes(name) || (name === 'number' && names.includes('integer')),
  )
  const isWhole = names.includes('integer') && !names.includes('number')
  const values = readValues(rest, nullable === true && names.length > 0)
  return [
    ...(names.length > 0 ? [{ kind: 'types' as const, types }] : []),
    ...(isWhole ? [{ kind: 'multipleOf' as const, divisor: 1 }] : []),
    ...values,
  ]
}

function readValues(schema: SchemaNode, isNullable: boolean): readonly Keyword[] {
  const listed = Array.isArray(schema.enum) ? [schema.enum] : []
  const constant = Object.hasOwn(schema, 'const') ? [[schema.const]] : []
  return [...listed, ...constant].map((values) => ({
    kind: 'values',
    values: isNullable && !values.includes(null) ? [...values, null] : values,
  }))
}

function readChoices(schema: SchemaNode, read: ReadSet): readonly Keyword[] {
  const keywords: Keyword[] = []
  for (const [name, kind] of choices) {
    const sets = listOf(schema[name]).map(read)
    if (sets.length > 0) keywords.push({ kind, sets })
  }
  if (schema.not !== undefined) keywords.push({ kind: 'not', set: read(schema.not) })
  if (schema.if !== undefined) {
    const [condition, yes, no] = [read(schema.if), read(schema.then), read(schema.else)]
    keywords.push({ kind: 'if', condition, yes, no })
  }
  return keywords
}

const choices = [
  ['allOf', 'all'],
  ['anyOf', 'any'],
  ['oneOf', 'one'],
] as const
