import { listOf } from '../contract/schema/json-schema.ts'
import { isRecord } from '../convention/value.ts'
import type { ReadSet, SchemaNode } from './document.ts'
import { isMatch, isPatternOfFormat, isTextFormat } from './formats.ts'
import {
  type Keyword,
  type ListKeyword,
  type Members,
  type NumberKeyword,
  type ObjectKeyword,
  setOf,
  type TextKeyword,
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
  const { additionalProperties: additional } = schema
  const isAny = additional === undefined || additional === true
  if (properties.length === 0 && patterns.length === 0 && isAny) return undefined
  return {
    properties: new Map(properties),
    patterns,
    additional: isAny ? undefined : read(additional),
  }
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
      (dependency): ObjectKeyword => ({
        kind: 'required',
        name: dependency,
      }),
    )
    const set = Array.isArray(needs) ? setOf(...required) : read(needs)
    return { kind: 'dependent', name, set }
  })
}

/** Reads the keywords of a JSON Schema about texts. */
export function readTexts(schema: SchemaNode): readonly TextKeyword[] {
  const { minLength, maxLength, pattern, format } = schema
  const keywords: TextKeyword[] = []
  if (isCounter(minLength)) keywords.push({ kind: 'minLength', count: minLength })
  if (isCounter(maxLength)) keywords.push({ kind: 'maxLength', count: maxLength })
  const source = typeof pattern === 'string' ? pattern : undefined
  const name = typeof format === 'string' && isTextFormat(format) ? format : undefined
  const isHint = name !== undefined && source !== undefined && isPatternOfFormat(source, name)
  if (name !== undefined) {
    const hint = isHint && source !== undefined ? { hint: source } : {}
    keywords.push({ kind: 'format', name, ...hint })
  }
  if (source !== undefined && !isHint) keywords.push({ kind: 'pattern', source })
  return keywords
}

/** Tells whether a value can be the number of a keyword that counts. */
function isCounter(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0
}

/** Reads the keywords of a JSON Schema about numbers. */
export function readNumbers(schema: SchemaNode): readonly NumberKeyword[] {
  const bounds = (['minimum', 'maximum'] as const).flatMap((kind) => readBound(schema, kind))
  const { multipleOf } = schema
  return [
    ...bounds,
    ...(isNumber(multipleOf) && multipleOf > 0
      ? [{ kind: 'multipleOf' as const, divisor: multipleOf }]
      : []),
    ...readWidth(schema),
  ]
}

function readBound(schema: SchemaNode, kind: 'minimum' | 'maximum'): readonly NumberKeyword[] {
  const limit = schema[kind]
  const exclusive = schema[kind === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum']
  return [
    ...(isNumber(limit) ? [{ kind, limit, isExclusive: false }] : []),
    ...(isNumber(exclusive) ? [{ kind, limit: exclusive, isExclusive: true }] : []),
  ]
}

// The formats of OpenAPI that bound a whole number.
const widths: { readonly [format: string]: number } = { int32: 2 ** 31, int64: 2 ** 63 }

function readWidth({ format }: SchemaNode): readonly NumberKeyword[] {
  const width = typeof format === 'string' && Object.hasOwn(widths, format) ? widths[format] : 0
  return width
    ? [
        { kind: 'multipleOf', divisor: 1 },
        { kind: 'minimum', limit: -width, isExclusive: false },
        { kind: 'maximum', limit: width, isExclusive: true },
      ]
    : []
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}

/** Reads the keywords of a JSON Schema about lists. */
export function readLists(schema: SchemaNode, read: ReadSet): readonly ListKeyword[] {
  const { minItems, maxItems, uniqueItems, contains } = schema
  const keywords: ListKeyword[] = []
  if (isCounter(minItems)) keywords.push({ kind: 'minItems', count: minItems })
  if (isCounter(maxItems)) keywords.push({ kind: 'maxItems', count: maxItems })
  if (uniqueItems === true) keywords.push({ kind: 'unique' })
  const first = listOf(schema.prefixItems).map(read)
  const isAny = schema.items === undefined || schema.items === true
  if (first.length > 0 || !isAny)
    keywords.push({ kind: 'elements', first, additional: isAny ? undefined : read(schema.items) })
  if (contains !== undefined) {
    const { minContains, maxContains } = schema
    const min = isCounter(minContains) ? minContains : 1
    const max = isCounter(maxContains) ? maxContains : Number.POSITIVE_INFINITY
    keywords.push({ kind: 'contains', set: read(contains), min, max })
  }
  return keywords
}
