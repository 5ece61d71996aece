import type { Collection } from '../contract/resource/api.ts'
import { idFor } from '../contract/resource/id.ts'
import type { Scalar, SortField } from '../contract/resource/operation.ts'
import type { Resource } from '../contract/resource/resource.ts'
import {
  foldSchema,
  type JsonSchema,
  jsonSchemaOf,
  listOf,
  typesOf,
} from '../contract/schema/json-schema.ts'
import { relatedIn } from '../contract/values/related.ts'
import { isWide } from '../convention/decimal.ts'
import { isOfFormat } from '../convention/format.ts'
import { faultOfValue, fieldOf } from '../convention/value.ts'

type Test = (value: Scalar) => boolean

// The first end of a page reads the schema.
const testsOfResource = new WeakMap<Resource, Map<string, Test>>()

/**
 * Tells whether an item can have a value in a sort field, by the resource's `id` and `schema`.
 * Checks the canonical id, types, `enum`, `const` and formats. A field that can be missing has
 * `null` too.
 */
export function isSortValue(resource: Resource, field: string, value: Scalar): boolean {
  if (faultOfValue(value) !== undefined) return false
  if (field === 'id') return idFor(resource, `${value}`) === value
  const tests = testsOfResource.get(resource) ?? new Map<string, Test>()
  testsOfResource.set(resource, tests)
  const test = tests.get(field) ?? testFor(resource, field)
  tests.set(field, test)
  return test(value)
}

/**
 * Tells whether an item of a collection can have a value in a field of an order. A related item can
 * be missing, whatever its schema requires.
 */
export function isSortValueIn(
  { resource, related }: Pick<Collection, 'resource' | 'related'>,
  { field, related: relatedField }: SortField,
  value: Scalar,
): boolean {
  if (relatedField === undefined) return isSortValue(resource, field, value)
  // The order names a field that the collection has.
  const { resource: target } = relatedIn(field, related) as (typeof related)[number]
  return value === null || isSortValue(target, relatedField.name, value)
}

function testFor({ schema }: Resource, field: string): Test {
  const root = jsonSchemaOf(schema)
  if (root === undefined) return anything
  const testOf = (node: unknown, ownTest: (schema: JsonSchema) => Test): Test =>
    foldSchema<Test>(node, root, {
      anything,
      nothing: () => false,
      loop: anything,
      join: (schema, all, choices) => {
        const tests = [ownTest(schema), ...all, ...choices.map(someOf)]
        return (value) => tests.every((test) => test(value))
      },
    })
  return testOf(root, (item) => {
    const isRequired = listOf(fieldOf(item, 'required')).includes(field)
    const test = testOf(fieldOf(Object(fieldOf(item, 'properties')), field), testOfValue)
    return (value) => (value === null && !isRequired) || test(value)
  })
}

function anything(): boolean {
  return true
}

function someOf(tests: readonly Test[]): Test {
  return (value) => tests.some((test) => test(value))
}

function testOfValue(schema: JsonSchema): Test {
  const types = typesOf(schema)
  const values = Object.hasOwn(schema, 'const')
    ? [fieldOf(schema, 'const')]
    : listOf(fieldOf(schema, 'enum'))
  const format = fieldOf(schema, 'format')
  return (value) =>
    (types.length === 0 || types.some((type) => isOfType(type, value))) &&
    (values.length === 0 || values.includes(value)) &&
    (typeof value !== 'string' || isOfFormat(format, value))
}

// An array and an object have no order, so they count as missing.
function isOfType(type: unknown, value: Scalar): boolean {
  if (type === typeof value) return true
  if (value === null) return type === 'null' || type === 'array' || type === 'object'
  // A database can hold other numbers in a boolean's column.
  if (type === 'boolean') return typeof value === 'number' && value !== 0 && value !== 1
  const isWhole = type === 'integer'
  if (typeof value === 'string' && (isWhole || type === 'number')) {
    return isWide(value) && !(isWhole && /[.Ny]/.test(value))
  }
  return isWhole && Number.isInteger(value)
}
