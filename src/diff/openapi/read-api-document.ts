import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText, isJsonObject, type JsonObject } from '../../sets/canonical.ts'
import {
  type Alternative,
  type ApiDocument,
  type ApiOperation,
  type ApiResponse,
  type Credential,
  childOf,
  type DocumentName,
  elementsOf,
  entriesOf,
  followChain,
  type MediaType,
  type RequestBody,
  textIn,
} from './api-document.ts'
import {
  type DocumentPlace,
  documentFault,
  type FoundNode,
  findNode,
  listIn,
  membersIn,
  type ReadContext,
  readHeaders,
  readLifetime,
  readMediaTypes,
  readParameters,
} from './read-parameter.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/**
 * Reads an OpenAPI document, 3.0 to 3.2, and follows its references.
 *
 * @throws {TypeError} For another value, with the place of the fault.
 * @see https://spec.openapis.org/oas/
 */
export function readApiDocument(json: unknown, name: DocumentName): ApiDocument {
  const root = copyOf(json, name)
  const context: ReadContext = { name, root, unreadable: new Set() }
  const openapi = textIn(root, 'openapi')
  if (childOf(root, 'swagger') !== undefined) {
    throw documentFault(context, [], 'it is of Swagger 2.0: convert it to OpenAPI 3 first')
  }
  if (openapi === undefined || !/^3\.[012](?:\.|$)/.test(openapi)) {
    throw documentFault(context, [], 'its "openapi" is 3.0, 3.1 or 3.2')
  }
  return {
    dialect: openapi.startsWith('3.0') ? '3.0' : '2020-12',
    root,
    operations: readItems(context, childOf(root, 'paths'), ['paths']),
    webhooks: readItems(context, childOf(root, 'webhooks'), ['webhooks']),
    unreadable: context.unreadable,
  }
}

// A copy holds plain JSON alone: no getter, no circle, no inherited member.
function copyOf(json: unknown, name: DocumentName): JsonObject {
  let copy: Json
  try {
    copy = JSON.parse(JSON.stringify(json) ?? 'null')
  } catch (error) {
    throw documentFault({ name }, [], `JSON cannot express it, ${String(error)}`)
  }
  if (!isJsonObject(copy)) throw documentFault({ name }, [], 'write an object')
  return copy
}

function readItems(
  context: ReadContext,
  paths: Json | undefined,
  place: DocumentPlace,
): readonly ApiOperation[] {
  return membersIn(context, paths, place).flatMap(([path, item]) => {
    if (path.startsWith('x-')) return []
    const node = findItem(context, item, [...place, path])
    return node === undefined ? [] : readItem(context, { path, ...node }, [...place, path])
  })
}

// A path item may add to the one it refers to.
function findItem(context: ReadContext, json: Json, place: DocumentPlace): FoundNode | undefined {
  const node = findNode(context, json, place)
  return node && isJsonObject(json) ? { ...node, node: { ...node.node, ...json } } : node
}

interface PathItem extends FoundNode {
  readonly path: string
}

function readItem(
  context: ReadContext,
  { path, node: item }: PathItem,
  place: DocumentPlace,
): readonly ApiOperation[] {
  const further = membersIn(context, childOf(item, 'additionalOperations'), place)
  const standard = methods.map((method) => [method, childOf(item, method)] as const)
  return [...standard, ...further].flatMap(([method, operation]) => {
    if (operation === undefined) return []
    const at = [...place, method]
    if (!isJsonObject(operation)) throw documentFault(context, at, 'write an object')
    return [readOperation(context, { path, item, operation, method }, at)]
  })
}

interface RawOperation {
  readonly path: string
  readonly item: JsonObject
  readonly operation: JsonObject
  readonly method: string
}

function readOperation(
  context: ReadContext,
  { path, item, operation, method }: RawOperation,
  place: DocumentPlace,
): ApiOperation {
  return {
    method: method.toUpperCase(),
    path,
    id: textIn(operation, 'operationId'),
    lifetime: readLifetime(operation),
    parameters: readParameters(context, { path, item, operation }, place),
    ...readBodies(context, operation, place),
    security: readSecurity(context, operation, place),
    servers: serversOf([operation, item, context.root].map((node) => childOf(node, 'servers'))),
    callbacks: membersIn(context, childOf(operation, 'callbacks'), place).flatMap(([, callback]) =>
      readItems(context, findNode(context, callback, place)?.node, [...place, 'callbacks']),
    ),
  }
}

function serversOf(lists: readonly (Json | undefined)[]): readonly string[] {
  const servers = lists.find((list) => Array.isArray(list) && list.length > 0)
  const urls = Array.isArray(servers) ? servers.map(urlOf) : []
  return urls.length > 0 ? [...new Set(urls)] : ['']
}

function urlOf(server: Json): string {
  const url = textIn(server, 'url') ?? '/'
  const variables = childOf(server, 'variables')
  return url
    .replaceAll(/\{([^{}]*)\}/g, (written, name: string) => {
      return textIn(childOf(variables, name), 'default') ?? written
    })
    .replace(/\/$/, '')
}

/** The body that an operation takes, and its responses by status. */
interface OperationBodies {
  readonly body: RequestBody | undefined
  readonly responses: ReadonlyMap<string, ApiResponse>
}

/**
 * Reads the bodies of an operation. `x-nounful-dry-run` describes a response more exactly, and
 * `x-nounful-many` adds those of arrays: the operation then takes and gives an item or an array.
 */
function readBodies(
  context: ReadContext,
  operation: JsonObject,
  place: DocumentPlace,
): OperationBodies {
  const extension = (name: string): OperationBodies =>
    readPart(context, childOf(operation, name), [...place, name])
  const plain = readPart(context, operation, place)
  const dryRun = extension('x-nounful-dry-run')
  const many = extension('x-nounful-many')
  const responses = new Map([...plain.responses, ...dryRun.responses])
  return {
    body: plain.body && many.body ? unionOf(plain.body, many.body) : plain.body,
    responses: new Map(
      [...responses].map(([status, response]) => {
        const further = many.responses.get(status)
        return [status, further ? responseUnion(response, further) : response]
      }),
    ),
  }
}

function readPart(
  context: ReadContext,
  schema: Json | undefined,
  place: DocumentPlace,
): OperationBodies {
  const node = childOf(schema, 'requestBody')
  const body = node === undefined ? undefined : findNode(context, node, [...place, 'requestBody'])
  return {
    body: body && {
      shared: body.shared,
      isRequired: childOf(body.node, 'required') === true,
      content: readMediaTypes(context, body.node, [...place, 'requestBody']),
    },
    responses: readResponses(context, childOf(schema, 'responses'), [...place, 'responses']),
  }
}

function readResponses(
  context: ReadContext,
  responses: Json | undefined,
  place: DocumentPlace,
): ReadonlyMap<string, ApiResponse> {
  return new Map(
    membersIn(context, responses, place).flatMap(([status, json]) => {
      if (status.startsWith('x-')) return []
      const at = [...place, status]
      const node = findNode(context, json, at)
      if (node === undefined) return []
      const response = {
        shared: node.shared,
        content: readMediaTypes(context, node.node, at),
        headers: readHeaders(context, node.node, at),
      }
      return [[status === 'default' ? status : status.toUpperCase(), response] as const]
    }),
  )
}

function responseUnion(response: ApiResponse, many: ApiResponse): ApiResponse {
  const names = many.headers.map(({ key }) => key)
  const headers = response.headers.map((header) =>
    names.includes(header.key) ? header : { ...header, isRequired: false },
  )
  return { ...unionOf(response, many), headers }
}

function unionOf<Body extends { readonly content: readonly MediaType[] }>(
  body: Body,
  many: Body,
): Body {
  const content = body.content.map((media) => {
    const array = many.content.find(({ type }) => type === media.type)
    if (array?.schema === undefined || media.schema === undefined) return media
    return { ...media, schema: { oneOf: [media.schema, array.schema] } }
  })
  return { ...body, content }
}

/** Reads the credentials that an operation takes: its own, else those of the document. */
function readSecurity(
  context: ReadContext,
  operation: JsonObject,
  place: DocumentPlace,
): readonly Alternative[] {
  const security = childOf(operation, 'security')
  const at = security === undefined ? ['security'] : [...place, 'security']
  const list = listIn(context, security ?? childOf(context.root, 'security'), at)
  const alternatives = list.map((requirement, index) =>
    membersIn(context, requirement, [...at, index]).map(([name, scopes]) =>
      credentialOf(context, name, scopes),
    ),
  )
  return alternatives.length === 0 ? [[]] : alternatives
}

function credentialOf({ root }: ReadContext, name: string, scopes: Json): Credential {
  const schemes = childOf(childOf(root, 'components'), 'securitySchemes')
  const { node } = followChain(childOf(schemes, name), root)
  const type = textIn(node, 'type') ?? 'unknown'
  return {
    name,
    type,
    scheme: schemeOf(node, type) ?? `unknown ${name}`,
    scopes: elementsOf(scopes).map(String).sort(),
  }
}

// The URLs where a client gets a token tell two schemes apart; a text about them does not.
function schemeOf(node: Json | undefined, type: string): string | undefined {
  switch (type) {
    case 'apiKey': {
      const name = textIn(node, 'name') ?? ''
      const where = textIn(node, 'in') ?? ''
      return `apiKey ${where} ${where === 'header' ? name.toLowerCase() : name}`
    }
    case 'http':
      return `http ${textIn(node, 'scheme')?.toLowerCase() ?? ''}`
    case 'oauth2':
      return `oauth2 ${flowsOf(node)}`
    case 'openIdConnect':
      return `openIdConnect ${textIn(node, 'openIdConnectUrl') ?? ''}`
    case 'mutualTLS':
      return type
    default:
      return undefined
  }
}

function flowsOf(node: Json | undefined): string {
  const urls = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl']
  const flows = entriesOf(childOf(node, 'flows')).map(([kind, flow]) => [
    kind,
    urls.map((url) => textIn(flow, url) ?? null),
  ])
  return canonicalText(Object.fromEntries(flows))
}
