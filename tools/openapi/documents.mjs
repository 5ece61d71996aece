// The checked documents: of the example, and of special contracts.
import { toJsonSchema } from '@valibot/to-json-schema'
import { documentOptions } from '../../examples/companies/documents.ts'
import { registry } from '../../examples/companies/registry.ts'
import { toOpenApi } from '../../src/openapi.ts'
import {
  arktypes,
  deep,
  recursive,
  referring,
  valibots,
  versions,
} from '../../test/openapi/contracts.ts'

/** valibot's own converter, for both sides of a schema. */
const ofValibot = (schema, typeMode) =>
  schema['~standard'].vendor === 'valibot'
    ? toJsonSchema(schema, { typeMode, target: 'draft-2020-12', errorMode: 'ignore' })
    : undefined

/** Makes each document anew, by name. */
export const makers = {
  versions,
  deep,
  recursive,
  arktypes,
  referring,
  valibots: () => valibots(ofValibot),
  'valibots-untold': () => valibots(),
}

const example = { registry, options: documentOptions }
const sources = {
  example: () => example,
  'example-all': () => ({ registry, options: { ...documentOptions, methods: 'all' } }),
  'example-api': () => ({ registry: registry.api, options: documentOptions }),
  ...makers,
}

/**
 * The documents by name, with the rest in extensions, or in unions.
 *
 * @param {'extension' | 'union'} arrays
 */
export function documentsWith(arrays) {
  return Object.fromEntries(
    Object.entries(sources).map(([name, make]) => {
      const { registry, options } = make()
      return [`${name}-${arrays}`, toOpenApi(registry, { ...options, arrays })]
    }),
  )
}
