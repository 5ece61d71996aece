import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import type { ApiDocument, ApiOperation, DocumentName } from './api-document.ts'
import { childOf, textIn } from './json-node.ts'
import { readBodies } from './read-bodies.ts'
import {
  type DocumentPlace,
  documentFault,
  type FoundNode,
  findNode,
  membersIn,
  type ReadContext,
} from './read-context.ts'
import { readLifetime, readParameters } from './read-parameter.ts'
import { readSecurity } from './read-security.ts'

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query']

/**
 * Reads an OpenAPI document, 3.0 to 3.2, and follows its references.
 *
 * @throws {TypeError} For another value, with the place of the fault.
 * @see https://spec.openapis.org/oas/
 */
export function readApiDocument(given: unknown, name: DocumentName): ApiDocument {
  const root = copyOf(given, name)
  const context: ReadContext = { name, root, untold: new Set() }
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
    untold: context.untold,
  }
}

// A copy holds plain JSON alone: no getter, no circle, no inherited member.
function copyOf(given: unknown, name: DocumentName): JsonObject {
  let copy: Json
  try {
    copy = JSON.parse(JSON.stringify(given) ?? 'null')
  } catch (error) {
    throw documentFault({ name }, [], `JSON cannot express it, ${String(error)}`)
  }
  if (!isJsonObject(copy)) throw documentFault({ name }, [], 'write an object')
  return copy
}

function readItems(
  context: ReadContext,
  given: Json | undefined,
  place: DocumentPlace,
): readonly ApiOperation[] {
  return membersIn(context, given, place).flatMap(([path, item]) => {
    if (path.startsWith('x-')) return []
    const found = findItem(context, item, [...place, path])
    return found === undefined ? [] : readItem(context, { path, ...found }, [...place, path])
  })
}

// A path item may add to the one it refers to.
function findItem(context: ReadContext, given: Json, place: DocumentPlace): FoundNode | undefined {
  const found = findNode(context, given, place)
  return found && isJsonObject(given) ? { ...found, node: { ...found.node, ...given } } : found
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
  const own = methods.map((method) => [method, childOf(item, method)] as const)
  return [...own, ...further].flatMap(([method, given]) => {
    if (given === undefined) return []
    const at = [...place, method]
    if (!isJsonObject(given)) throw documentFault(context, at, 'write an object')
    return [readOperation(context, { path, item, operation: given, method }, at)]
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
