import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject } from '../../src/evolution/snapshot.ts'
import type { Json } from '../../src/model/schema.ts'

const ajv = new Ajv2020({
  meta: false,
  ownProperties: true,
  strict: false,
  validateFormats: false,
  validateSchema: false,
})

/** Makes a function that tells whether a value is valid; `undefined` where Ajv throws. */
export function judgeOf(schema: JsonObject | boolean): (value: Json) => boolean | undefined {
  const validate = ajv.compile(schema)
  // Thousands of schemas would else stay in memory.
  ajv.removeSchema(schema)
  return (value) => {
    try {
      return validate(value) === true
    } catch (error) {
      // Ajv 8.20.0 forgets to declare what an alternative evaluated.
      if (/Cannot set properties of undefined/.test(String(error))) return undefined
      throw error
    }
  }
}
