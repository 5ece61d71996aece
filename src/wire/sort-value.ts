import { isOfFormat, isWide } from '../model/format.ts'
import { idFor } from '../model/id.ts'
import { followReference, type JsonSchema, jsonSchemaOf, listOf } from '../model/json-schema.ts'
import { fieldOf, type Scalar } from '../model/operation.ts'
import type { Resource } from '../model/resource.ts'
import { faultOfValue } from '../model/storable.ts'

type Test = (value: Scalar) => boolean

// The first end of a page reads the schema.
const known = new WeakMap<Resource, Map<string, Test>>()

/**
 * Tells whether an item can have a value in a sort field, by the resource's `id` and `schema`.
 * Checks the canonical id, types, `enum`, `const` and formats. A field that can be missing has
 * `null` too.
 */
export function isSortValue(resource: Resource, field: string, value: Scalar): boolean {
  if (faultOfValue(value) !== undefined) return false
  if (field === 'id') return idFor(resource, `${value}`) === value
  const test = known.get(resource)?.get(field) ?? learn(resource, field)
  return test(value)
}

function learn(resource: Resource, field: string): Test {
  const test = testFor(resource, field)
  const tests = known.get(resource) ?? new Map<string, Test>()
  known.set(resource, tests.set(field, test))
  return test
}

function testFor({ schema }: Resource, field: string): Test {
  const root = jsonSchemaOf(schema)
  if (root === undefined) return anything
  const ofValue: Part = { root, within: [], own: testOfValue }
  const own = (item: JsonSchema): Test => {
    const isRequired = listOf(fieldOf(item, 'required')).includes(field)
    const test = testOf(fieldOf(Object(fieldOf(item, 'properties')), field), ofValue)
    return (value) => (value === null && !isRequired) || test(value)
  }
  return testOf(root, { root, within: [], own })
}

function anything(): boolean {
  return true
}

/** A part of a JSON Schema that is being read. */
interface Part {
  readonly root: JsonSchema
  /** The schemas around this one, since a schema can hold itself. */
  readonly within: readonly object[]
  /** Makes the test of a schema without its parts. */
  readonly own: (schema: JsonSchema) => Test
}

function testOf(schema: unknown, part: Part): Test {
  if (schema === false) return () => false
  if (typeof schema !== 'object' || schema === null || part.within.includes(schema)) return anything
  const inner: Part = { ...part, within: [...part.within, schema] }
  const testsOf = (key: string): Test[] =>
    listOf(fieldOf(schema, key)).map((choice) => testOf(choice, inner))
  const reference = fieldOf(schema, '$ref')
  const target = typeof reference === 'string' ? followReference(reference, part.root) : undefined
  const all = [
    part.own(schema),
    ...(target === undefined ? [] : [testOf(target, inner)]),
    ...testsOf('allOf'),
  ]
  const choices = [testsOf('anyOf'), testsOf('oneOf')].filter((tests) => tests.length > 0)
  if (choices.length > 0) all.push((value) => choices.every((tests) => tests.some(by(value))))
  // Most fields have one test.
  const [only = anything] = all
  return all.length === 1 ? only : (value) => all.every(by(value))
}

function by(value: Scalar): (test: Test) => boolean {
  return (test) => test(value)
}

function testOfValue(schema: JsonSchema): Test {
  const type = fieldOf(schema, 'type')
  const types = typeof type === 'string' ? [type] : listOf(type)
  const values = Object.hasOwn(schema, 'const')
    ? [fieldOf(schema, 'const')]
    : listOf(fieldOf(schema, 'enum'))
  const format = fieldOf(schema, 'format')
  const isTyped: Test = (value) => {
    for (const type of types) if (type === typeof value || isOfType(type, value)) return true
    return types.length === 0
  }
  if (values.length === 0 && format === undefined) return isTyped
  return (value) =>
    isTyped(value) &&
    (values.length === 0 || values.includes(value)) &&
    (typeof value !== 'string' || isOfFormat(format, value))
}

// An array and an object have no order, so they count as missing.
function isOfType(type: unknown, value: Scalar): boolean {
  if (value === null) return type === 'null' || type === 'array' || type === 'object'
  // A database can hold other numbers in a boolean's column.
  if (type === 'boolean') return typeof value === 'number' && value !== 0 && value !== 1
  const isWhole = type === 'integer'
  if (typeof value === 'string' && (isWhole || type === 'number')) {
    return isWide(value) && !(isWhole && /[.Ny]/.test(value))
  }
  return isWhole && Number.isInteger(value)
}
