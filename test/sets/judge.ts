import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Json } from '../../src/contract/schema/schema.ts'
import type { JsonObject } from '../../src/sets/canonical.ts'

const ajv = new Ajv2020({
  meta: false,
  ownProperties: true,
  strict: false,
  validateFormats: false,
  validateSchema: false,
})

const throwing = /Cannot set properties of undefined|(?:props|items)\d+ is not defined/

/** Makes a function that tells whether a value is valid; `undefined` where Ajv fails to judge. */
export function judgeOf(schema: JsonObject | boolean): (value: Json) => boolean | undefined {
  if (isMisread(schema)) return () => undefined
  const root = typeof schema === 'boolean' ? { allOf: [schema] } : schema
  const validate = ajv.compile(root)
  // Thousands of schemas would else stay in memory.
  ajv.removeSchema(root)
  return (value) => {
    try {
      return validate(value) === true
    } catch (error) {
      // Ajv 8.20.0 does not always declare what it notes of evaluated members.
      if (throwing.test(String(error))) return undefined
      throw error
    }
  }
}

const loops = ['additionalProperties', 'unevaluatedProperties', 'patternProperties', 'items']

// Ajv 8.20.0 takes an empty list where `contains` stands beside `prefixItems`, and where a member
// or an element before it met the same `contains`.
function isMisread(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  if ('contains' in schema && 'prefixItems' in schema) return true
  const parts = Object.entries(schema)
  const isInLoop = ([name, part]: readonly [string, unknown]) =>
    loops.includes(name) && JSON.stringify(part).includes('"contains"')
  return parts.some(isInLoop) || parts.some(([, part]) => isMisread(part))
}
