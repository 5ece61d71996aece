import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject, type JsonObject } from '../../sets/canonical.ts'
import {
  type ApiParameter,
  childOf,
  type DocumentName,
  type EndNotice,
  followChain,
  type MediaType,
  type ParameterForm,
  textIn,
} from './api-document.ts'

const locations = ['query', 'querystring', 'path', 'header', 'cookie']

// OpenAPI gives these headers other places: the body, the responses and the security.
const ignoredHeaders = ['accept', 'content-type', 'authorization']

/**
 * Reads the parameters of an operation. Its own come before those of its path.
 *
 * @param path The template as written.
 */
export function readParameters(
  path: string,
  item: DocumentNode,
  operation: DocumentNode,
): readonly ApiParameter[] {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const nodes = [...listIn(item, 'parameters'), ...listIn(operation, 'parameters')]
  const all = nodes.flatMap(readParameter).map((parameter) => {
    const index = parameter.in === 'path' ? names.indexOf(parameter.name) : -1
    return index < 0 ? parameter : { ...parameter, key: `path ${index}` }
  })
  return [...new Map(all.map((parameter) => [parameter.key, parameter])).values()]
}

function readParameter(node: DocumentNode): readonly ApiParameter[] {
  const where = textIn(node.json, 'in')
  const name = textIn(node.json, 'name')
  if (where === undefined || !locations.includes(where)) {
    throw documentFault(node, `"in" is one of ${locations.join(', ')}`)
  }
  if (name === undefined) throw documentFault(node, 'write a text as "name"')
  if (where === 'header' && ignoredHeaders.includes(name.toLowerCase())) return []
  return [parameterOf(node, where, name)]
}

function parameterOf(node: DocumentNode, where: string, name: string): ApiParameter {
  const { json, shared } = node
  const content = readMediaTypes(node)
  return {
    in: where,
    name,
    key: `${where} ${where === 'header' ? name.toLowerCase() : name}`,
    shared,
    lifetime: readLifetime(node),
    isRequired: where === 'path' || childOf(json, 'required') === true,
    takesEmpty: childOf(json, 'allowEmptyValue') === true,
    form: formOf(json, where, content),
    schema: content[0]?.schema ?? childOf(json, 'schema'),
  }
}

function formOf(json: JsonObject, where: string, content: readonly MediaType[]): ParameterForm {
  const style = textIn(json, 'style') ?? (/query|cookie/.test(where) ? 'form' : 'simple')
  const explode = childOf(json, 'explode')
  return {
    style,
    isExploded: typeof explode === 'boolean' ? explode : style === 'form',
    takesReserved: childOf(json, 'allowReserved') === true,
    mediaType: content[0]?.type,
  }
}

/** Reads the headers of a response. `Content-Type` belongs to the body. */
export function readHeaders(response: DocumentNode): readonly ApiParameter[] {
  return nodesIn(response, 'headers')
    .filter(([name]) => name.toLowerCase() !== 'content-type')
    .map(([name, header]) => parameterOf(header, 'header', name))
}

/** Reads the media types of a body. */
export function readMediaTypes(node: DocumentNode): readonly MediaType[] {
  return nodesIn(node, 'content').map(([type, { json }]) => {
    const item = childOf(json, 'itemSchema')
    return {
      type: type.toLowerCase().replaceAll(/\s/g, ''),
      schema: childOf(json, 'schema') ?? (item === undefined ? item : { items: item }),
      encoding: childOf(json, 'encoding'),
    }
  })
}

/** Reads how long an operation or a parameter stays. */
export function readLifetime({ json }: DocumentNode): EndNotice {
  return {
    isDeprecated: childOf(json, 'deprecated') === true,
    sunset: textIn(json, 'x-sunset'),
  }
}

/** An object of a document, references followed, and its place. */
export interface DocumentNode {
  readonly json: JsonObject
  /** The reference to it without `#/`; `undefined` for one of its own. */
  readonly shared: string | undefined
  /** `['paths', '/pets', 'get']`. */
  readonly place: readonly (string | number)[]
  readonly document: DocumentName
  readonly root: JsonObject
  /** Collects the references that lead to nothing. */
  readonly unreadable: Set<string>
}

/** Makes the error for a part of a document that has another form than OpenAPI's. */
export function documentFault(
  { document, place }: Pick<DocumentNode, 'document' | 'place'>,
  text: string,
): TypeError {
  const where = place.length === 0 ? '' : ` at ${place.join(' ')}`
  return new TypeError(`The ${document} document is no OpenAPI document${where}: ${text}.`)
}

type Step = string | number

// Notes a reference to nothing, and returns no node for it.
function followTo(parent: DocumentNode, written: Json, steps: readonly Step[]): DocumentNode[] {
  const { node: json, shared } = followChain(written, parent.root)
  const place = [...parent.place, ...steps]
  if (isJsonObject(json)) return [{ ...parent, json, shared, place }]
  if (json !== undefined || shared === undefined)
    throw documentFault({ ...parent, place }, 'write an object')
  parent.unreadable.add(String(childOf(written, '$ref')))
  return []
}

/**
 * Returns the object that is a member of another; `undefined` for none, and for a reference to
 * nothing.
 *
 * @throws {TypeError} For a value that is no object.
 */
export function nodeIn(parent: DocumentNode, name: string): DocumentNode | undefined {
  const written = childOf(parent.json, name)
  return written === undefined ? undefined : followTo(parent, written, [name])[0]
}

/**
 * Returns the objects in a member of another, by name. The member may be missing.
 *
 * @param isRead Tells whether a name is read. Default: each is.
 * @throws {TypeError} For a value that is no object.
 */
export function nodesIn(
  parent: DocumentNode,
  name: string,
  isRead: (name: string) => boolean = () => true,
): readonly (readonly [name: string, node: DocumentNode])[] {
  const members = childOf(parent.json, name)
  // YAML writes an empty member as `null`.
  if (members === undefined || members === null) return []
  if (!isJsonObject(members))
    throw documentFault({ ...parent, place: [...parent.place, name] }, 'write an object')
  return Object.entries(members)
    .filter(([member]) => isRead(member))
    .flatMap(([member, json]) =>
      followTo(parent, json, [name, member]).map((node) => [member, node] as const),
    )
}

/**
 * Returns the objects in a list, which may be missing.
 *
 * @throws {TypeError} For another value than a list of objects.
 */
export function listIn(parent: DocumentNode, name: string): readonly DocumentNode[] {
  const list = childOf(parent.json, name)
  // YAML writes an empty member as `null`.
  if (list === undefined || list === null) return []
  if (!Array.isArray(list))
    throw documentFault({ ...parent, place: [...parent.place, name] }, 'write a list')
  return list.flatMap((json, index) => followTo(parent, json, [name, index]))
}
