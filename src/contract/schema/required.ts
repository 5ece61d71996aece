import { fieldOf } from '../../convention/value.ts'
import {
  foldSchema,
  isAny,
  type JsonSchema,
  jsonSchemaOf,
  listOf,
  membersOf,
  propertiesOf,
  typesOf,
} from './json-schema.ts'
import type { StandardSchema } from './schema.ts'

type Names = readonly string[]

const requiredFields = new WeakMap<StandardSchema, Names | undefined>()

/**
 * Returns the fields of every object that a schema returns, fields with a default among them.
 * Returns `undefined` for a schema without a JSON Schema, and for one that takes anything.
 */
export function requiredFieldsOf(schema: StandardSchema): Names | undefined {
  if (requiredFields.has(schema)) return requiredFields.get(schema)
  const json = jsonSchemaOf(schema)
  const names =
    json === undefined || isAny(json) ? undefined : namesIn(json, requiredIn, namesInAll)
  const distinctNames = names && Object.freeze([...new Set(names)])
  requiredFields.set(schema, distinctNames)
  return distinctNames
}

// `undefined` stands for a schema that no object meets: an item is always an object.
function namesIn(
  root: JsonSchema,
  ownNamesOf: (schema: JsonSchema) => Names,
  joinChoices: (choices: readonly (Names | undefined)[]) => Names,
): Names | undefined {
  return foldSchema<Names | undefined>(root, root, {
    anything: [],
    nothing: undefined,
    loop: undefined,
    join: (schema, all, choices) => {
      const types = typesOf(schema)
      const isForObjects = types.length === 0 || types.includes('object')
      const lists = all.filter((names) => names !== undefined)
      if (!isForObjects || lists.length < all.length) return undefined
      return [...ownNamesOf(schema), ...lists.flat(), ...choices.flatMap(joinChoices)]
    },
  })
}

function requiredIn(schema: JsonSchema): Names {
  return listOf(fieldOf(schema, 'required')).filter((name) => typeof name === 'string')
}

function namesInAll(choices: readonly (Names | undefined)[]): Names {
  const [first = [], ...laterChoices] = choices.filter((names) => names !== undefined)
  return first.filter((name) => laterChoices.every((names) => names.includes(name)))
}

function namesInAny(choices: readonly (Names | undefined)[]): Names {
  return choices.flatMap((names) => names ?? [])
}

/**
 * Returns the fields that a schema names in every alternative; `undefined` if it tells none, or
 * takes any other.
 */
export const namedFieldsOf = /* @__PURE__ */ fieldNamesBy(namesInAll)

/** Returns the fields that a schema names in some alternative; `undefined` likewise. */
export const takenFieldsOf = /* @__PURE__ */ fieldNamesBy(namesInAny)

function fieldNamesBy(joinChoices: (choices: readonly (Names | undefined)[]) => Names) {
  const cache = new WeakMap<StandardSchema, Names | undefined>()
  return (schema: StandardSchema): Names | undefined => {
    if (cache.has(schema)) return cache.get(schema)
    // A field that JSON Schema cannot express still has its name.
    const lenient = { libraryOptions: { unrepresentable: 'any' } }
    const json = jsonSchemaOf(schema) ?? jsonSchemaOf(schema, lenient) ?? {}
    const isOpen = membersOf(json).some((member) => isAny(member) || allowsOtherFields(member))
    const ownNamesOf = (member: JsonSchema): Names => propertiesOf(member).map(([name]) => name)
    const names = isOpen ? undefined : namesIn(json, ownNamesOf, joinChoices)
    const distinctNames = names && Object.freeze([...new Set(names)])
    cache.set(schema, distinctNames)
    return distinctNames
  }
}

// A schema that says nothing of other fields has none in its type.
function allowsOtherFields(schema: JsonSchema): boolean {
  const additional = fieldOf(schema, 'additionalProperties') ?? false
  return additional !== false || Object.hasOwn(schema, 'patternProperties')
}

/** Returns the fields that a client has to send for a schema: those without a default. */
export function requiredInputFieldsOf(schema: StandardSchema): readonly unknown[] {
  return listOf(fieldOf(Object(jsonSchemaOf(schema, { direction: 'input' })), 'required'))
}
