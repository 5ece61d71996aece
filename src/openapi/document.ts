import type { Collection } from '../model/api.ts'
import { fieldOf } from '../model/operation.ts'
import { createBodies } from './bodies.ts'
import { type Components, createComponents } from './components.ts'
import { createItems } from './items.ts'
import {
  checkOpenApiOptions,
  type OpenApiInfo,
  type OpenApiOptions,
  type OpenApiSecurity,
  type OpenApiServer,
} from './options.ts'
import { pathsOf } from './paths.ts'
import { keepProblem } from './problems.ts'
import { keepAnswers, keepTarget } from './responses.ts'
import { createSchemas, type Schemas } from './schemas.ts'
import { type OpenApiSource, type Service, serviceOf } from './source.ts'
import { createTell } from './told.ts'
import type { Node } from './walk.ts'
import { infoDescription, nounOf, sharedMethods, tagDescription } from './words.ts'

/** An OpenAPI 3.1 document: plain JSON. */
export interface OpenApiDocument {
  openapi: '3.1.1'
  info: OpenApiInfo
  servers: readonly OpenApiServer[]
  security: readonly OpenApiSecurity[]
  tags: readonly { readonly name: string; readonly description: string }[]
  /** By path template, then by method in lower case. */
  paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** By sort, then by name. */
  components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

/**
 * Describes a service as an OpenAPI 3.1 document: every path, parameter, body, answer and problem there is. From the same
 * contract and options always the same bytes.
 *
 * @param source A registry, whose adapters say what is offered; or an api, of which everything is.
 * @throws {TypeError} For a source or an option that cannot be; the message says what to write instead.
 */
export function toOpenApi(source: OpenApiSource, options: OpenApiOptions): OpenApiDocument {
  const service = serviceOf(source)
  checkOpenApiOptions(options, {
    resources: [...service.api.resources.keys()],
    nouns: [...new Set(service.api.collections.map(nounOf))],
  })
  const { info, servers = [{ url: '/' }], security = [], problemTypes } = options
  const desk = { schemas: createSchemas(), components: createComponents(), options }
  const paths = writePaths(desk, {
    ...service,
    problemTypes: problemTypes ?? service.problemTypes,
  })
  // What may have been given as getters or with undefined members is plain afterwards.
  return JSON.parse(
    JSON.stringify({
      openapi: '3.1.1',
      info: { ...info, description: infoDescription(options, service) },
      servers,
      security,
      tags: tagsOf(service, options),
      paths,
      components: componentsOf(desk, paths),
    }),
  )
}

interface Desk {
  readonly schemas: Schemas
  readonly components: Components
  readonly options: OpenApiOptions
}

function writePaths({ schemas, components, options }: Desk, service: Service): Node {
  keepProblem(schemas)
  keepAnswers(schemas)
  keepTarget(schemas)
  const kit = { schemas, tell: createTell(options), examples: options.examples ?? {} }
  const items = createItems(service.api.resources.values(), kit)
  const bodies = createBodies(items, kit)
  return pathsOf({ service, options, components, items, bodies })
}

// Only what something refers to.
function componentsOf({ schemas, components, options }: Desk, paths: Node): Node {
  const { parameters, responses, headers } = components
  const sorts = {
    schemas: schemas.shared,
    responses: responses.shared,
    parameters: parameters.shared,
    headers: headers.shared,
  }
  const used = new Set(referencesIn(paths))
  for (const reference of used) {
    const [, , sort = '', name = ''] = reference.split('/')
    for (const further of referencesIn(Object(fieldOf(sorts, sort))[name])) used.add(further)
  }
  const kept = Object.entries(sorts).map(([sort, shared]) => [
    sort,
    Object.fromEntries(
      Object.entries(shared).filter(([name]) => used.has(`#/components/${sort}/${name}`)),
    ),
  ])
  const { securitySchemes } = options
  return {
    ...Object.fromEntries(kept.filter(([, shared]) => Object.keys(Object(shared)).length > 0)),
    ...(securitySchemes === undefined ? {} : { securitySchemes }),
  }
}

function referencesIn(part: unknown): readonly string[] {
  const text = JSON.stringify(part) ?? ''
  return [...text.matchAll(/"\$ref":"(#\/components\/[^"]*)"/g)].map(
    ([, reference = '']) => reference,
  )
}

function tagsOf({ api, kindsOf }: Service, { tags, methods }: OpenApiOptions): readonly Node[] {
  const nouns = new Map<string, Collection[]>()
  for (const collection of api.collections) {
    if (kindsOf(collection).length === 0) continue
    const noun = nounOf(collection)
    nouns.set(noun, [...(nouns.get(noun) ?? []), collection])
  }
  const found = [...nouns].map(([name, collections]) => ({
    name,
    description: (tags && fieldOf(tags, name)) ?? tagDescription(collections),
  }))
  const { tag: name, description } = sharedMethods
  return methods === 'main' ? found : [...found, { name, description }]
}
