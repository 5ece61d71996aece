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
  type DocumentNode,
  documentFault,
  listIn,
  nodeIn,
  nodesIn,
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
export function readApiDocument(json: unknown, document: DocumentName): ApiDocument {
  const root = copyOf(json, document)
  const place: DocumentNode['place'] = []
  const node = {
    json: root,
    shared: undefined,
    place,
    document,
    root,
    unreadable: new Set<string>(),
  }
  const openapi = textIn(root, 'openapi')
  if (childOf(root, 'swagger') !== undefined) {
    throw documentFault(node, 'it is of Swagger 2.0: convert it to OpenAPI 3 first')
  }
  if (openapi === undefined || !/^3\.[012](?:\.|$)/.test(openapi)) {
    throw documentFault(node, 'its "openapi" is 3.0, 3.1 or 3.2')
  }
  return {
    dialect: openapi.startsWith('3.0') ? '3.0' : '2020-12',
    root,
    operations: readItems(node, 'paths'),
    webhooks: readItems(node, 'webhooks'),
    unreadable: node.unreadable,
  }
}

// A copy holds plain JSON alone: no getter, no circle, no inherited member.
function copyOf(json: unknown, document: DocumentName): JsonObject {
  let copy: Json
  try {
    copy = JSON.parse(JSON.stringify(json) ?? 'null')
  } catch (error) {
    throw documentFault({ document, place: [] }, `JSON cannot express it, ${String(error)}`)
  }
  if (!isJsonObject(copy)) throw documentFault({ document, place: [] }, 'write an object')
  return copy
}

function isNoExtension(name: string): boolean {
  return !name.startsWith('x-')
}

function readItems(parent: DocumentNode, name: string): readonly ApiOperation[] {
  return nodesIn(parent, name, isNoExtension).flatMap(([path, node]) => {
    // A path item may add to the one it refers to.
    const written = childOf(childOf(parent.json, name), path)
    return readItem(path, { ...node, json: { ...node.json, ...Object(written) } })
  })
}

function readItem(path: string, item: DocumentNode): readonly ApiOperation[] {
  const standard = methods.flatMap((method) => {
    const operation = nodeIn(item, method)
    return operation === undefined ? [] : [[method, operation] as const]
  })
  return [...standard, ...nodesIn(item, 'additionalOperations')].map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    id: textIn(operation.json, 'operationId'),
    lifetime: readLifetime(operation),
    parameters: readParameters(path, item, operation),
    ...readBodies(operation),
    security: readSecurity(operation),
    servers: serversOf([operation.json, item.json, item.root]),
    callbacks: nodesIn(operation, 'callbacks').flatMap(([, callback]) =>
      readItems({ ...callback, json: { callback: callback.json } }, 'callback'),
    ),
  }))
}

// The innermost list of servers counts.
function serversOf(nodes: readonly JsonObject[]): readonly string[] {
  const lists = nodes.map((node) => elementsOf(childOf(node, 'servers')))
  const servers = lists.find(({ length }) => length > 0) ?? []
  return servers.length > 0 ? [...new Set(servers.map(urlOf))] : ['']
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
function readBodies(operation: DocumentNode): OperationBodies {
  const plain = readPart(operation)
  const dryRun = readPart(nodeIn(operation, 'x-nounful-dry-run'))
  const many = readPart(nodeIn(operation, 'x-nounful-many'))
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

function readPart(node: DocumentNode | undefined): OperationBodies {
  if (node === undefined) return { body: undefined, responses: new Map() }
  const body = nodeIn(node, 'requestBody')
  const responses = nodesIn(node, 'responses', isNoExtension)
  return {
    body: body && {
      shared: body.shared,
      isRequired: childOf(body.json, 'required') === true,
      content: readMediaTypes(body),
    },
    responses: new Map(
      responses.map(([status, response]) => [
        status === 'default' ? status : status.toUpperCase(),
        {
          shared: response.shared,
          content: readMediaTypes(response),
          headers: readHeaders(response),
        },
      ]),
    ),
  }
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
function readSecurity(operation: DocumentNode): readonly Alternative[] {
  const { root } = operation
  const isOwn = childOf(operation.json, 'security') !== undefined
  const list = listIn(isOwn ? operation : { ...operation, json: root, place: [] }, 'security')
  const alternatives = list.map(({ json }) =>
    Object.entries(json).map(([name, scopes]) => credentialOf(root, name, scopes)),
  )
  return alternatives.length === 0 ? [[]] : alternatives
}

function credentialOf(root: JsonObject, name: string, scopes: Json): Credential {
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
