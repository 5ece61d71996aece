import { lastNounOf } from '../contract/resource/api.ts'
import { fieldOf } from '../convention/value.ts'
import { createBodies } from './bodies.ts'
import { createComponents } from './components.ts'
import { createItems } from './items.ts'
import { createSchemaOf, type Node } from './json-schema.ts'
import {
  checkOpenApiOptions,
  type OpenApiInfo,
  type OpenApiOptions,
  type OpenApiSecurity,
  type OpenApiServer,
} from './options.ts'
import { pathsOf } from './paths.ts'
import { problemSchemas } from './problems.ts'
import { responseSchemasFor } from './responses.ts'
import { createSchemas } from './schemas.ts'
import { type OpenApiSource, type Service, serviceOf, serviceOfVersion } from './source.ts'
import { tagSuffixesOf, tagsOf } from './tags.ts'
import { infoDescription } from './words.ts'

/** An OpenAPI 3.1 document: plain JSON. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: OpenApiInfo
  servers: readonly OpenApiServer[]
  security: readonly OpenApiSecurity[]
  tags: readonly { readonly name: string; readonly description: string }[]
  /** By path template, then by method in lower case. */
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** By section, then by name. */
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Describes a service as an OpenAPI 3.1 document: every path, parameter, body, response and
 * problem. The same source and options always give the same bytes.
 *
 * @param source A registry, for the operations of its adapters; or an api, for all operations.
 * @throws {TypeError} For an invalid source or option.
 */
export function toOpenApi(source: OpenApiSource, options: OpenApiOptions): OpenApiDocument {
  return writerFor(source, options)()
}

/**
 * Checks a source and its options, and returns the function that writes the document.
 *
 * @throws {TypeError} For an invalid source or option.
 */
export function writerFor(source: OpenApiSource, options: OpenApiOptions): () => OpenApiDocument {
  const fullService = serviceOf(source)
  const { api } = fullService
  checkOpenApiOptions(options, {
    resources: [...api.resources.keys()],
    nouns: [...new Set(api.collections.map(lastNounOf))],
    versions: [...api.versions.keys()],
  })
  const service =
    options.version === undefined ? fullService : serviceOfVersion(fullService, options.version)
  return () => writeDocument(service, options)
}

function writeDocument(service: Service, options: OpenApiOptions): OpenApiDocument {
  const { info, servers = [{ url: '/' }], security = [], examples = {} } = options
  const problemTypes = options.problemTypes ?? service.problemTypes
  const schemas = createSchemas({ ...problemSchemas, ...responseSchemasFor(service) })
  const components = createComponents()
  const kit = { schemas, schemaOf: createSchemaOf(options.toJsonSchema), examples }
  const items = createItems(service.api.resources.values(), kit)
  const bodies = createBodies(items, kit)
  const paths = pathsOf({
    service: { ...service, problemTypes },
    options,
    components,
    items,
    bodies,
    tagSuffixes: tagSuffixesOf(service),
  })
  // Removes getters and undefined members of the options.
  return JSON.parse(
    JSON.stringify({
      openapi: '3.1.1',
      info: { ...info, description: infoDescription(options, service) },
      servers,
      security,
      tags: tagsOf(service, options),
      paths,
      components: componentsOf({ schemas: schemas.shared, ...components.shared }, paths, options),
    }),
  )
}

// Leaves out components without a reference.
function componentsOf(
  sections: OpenApiDocument['components'],
  paths: Node,
  { securitySchemes }: OpenApiOptions,
): Node {
  const usedReferences = new Set(referencesIn(paths))
  for (const reference of usedReferences) {
    const [, , section = '', name = ''] = reference.split('/')
    for (const nestedReference of referencesIn(Object(fieldOf(sections, section))[name]))
      usedReferences.add(nestedReference)
  }
  const sectionsInUse = Object.entries(sections).map(([section, shared]) => [
    section,
    Object.fromEntries(
      Object.entries(shared).filter(([name]) =>
        usedReferences.has(`#/components/${section}/${name}`),
      ),
    ),
  ])
  const filledSections = sectionsInUse.filter(
    ([, shared]) => Object.keys(Object(shared)).length > 0,
  )
  return { ...Object.fromEntries(filledSections), securitySchemes }
}

function referencesIn(node: unknown): readonly string[] {
  const text = JSON.stringify(node) ?? ''
  return [...text.matchAll(/"\$ref":"(#\/components\/[^"]*)"/g)].map(
    ([, reference = '']) => reference,
  )
}
