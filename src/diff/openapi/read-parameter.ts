import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject, type JsonObject } from '../../sets/canonical.ts'
import {
  type ApiParameter,
  childOf,
  type DocumentName,
  type EndNotice,
  type Followed,
  followChain,
  type MediaType,
  type ParameterForm,
  textIn,
} from './api-document.ts'

const locations = ['query', 'querystring', 'path', 'header', 'cookie']

// OpenAPI gives these headers other places: the body, the responses and the security.
const ignoredHeaders = ['accept', 'content-type', 'authorization']

/** The places of parameters: an operation, and the path around it. */
interface ParameterLists {
  /** The template as written. */
  readonly path: string
  readonly item: JsonObject
  readonly operation: JsonObject
}

/** Reads the parameters of an operation. Its own come before those of its path. */
export function readParameters(
  context: ReadContext,
  { path, item, operation }: ParameterLists,
  place: DocumentPlace,
): readonly ApiParameter[] {
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name)
  const read = (node: JsonObject, at: DocumentPlace) =>
    listIn(context, childOf(node, 'parameters'), at).flatMap((parameter, index) =>
      readParameter(context, parameter, [...at, index]),
    )
  const all = [
    ...read(item, ['paths', path, 'parameters']),
    ...read(operation, [...place, 'parameters']),
  ].map((parameter) => {
    const index = parameter.in === 'path' ? names.indexOf(parameter.name) : -1
    return index < 0 ? parameter : { ...parameter, key: `path ${index}` }
  })
  return [...new Map(all.map((parameter) => [parameter.key, parameter])).values()]
}

function readParameter(
  context: ReadContext,
  json: Json,
  place: DocumentPlace,
): readonly ApiParameter[] {
  const parameter = findNode(context, json, place)
  if (parameter === undefined) return []
  const where = textIn(parameter.node, 'in')
  const name = textIn(parameter.node, 'name')
  if (where === undefined || !locations.includes(where)) {
    throw documentFault(context, place, `"in" is one of ${locations.join(', ')}`)
  }
  if (name === undefined) throw documentFault(context, place, 'write a text as "name"')
  if (where === 'header' && ignoredHeaders.includes(name.toLowerCase())) return []
  return [parameterOf(context, { ...parameter, where, name }, place)]
}

interface Named {
  readonly node: JsonObject
  readonly shared: string | undefined
  readonly where: string
  readonly name: string
}

function parameterOf(
  context: ReadContext,
  { node, shared, where, name }: Named,
  place: DocumentPlace,
): ApiParameter {
  const content = readMediaTypes(context, node, place)
  return {
    in: where,
    name,
    key: `${where} ${where === 'header' ? name.toLowerCase() : name}`,
    shared,
    lifetime: readLifetime(node),
    isRequired: where === 'path' || childOf(node, 'required') === true,
    takesEmpty: childOf(node, 'allowEmptyValue') === true,
    form: formOf(node, where, content),
    schema: content[0]?.schema ?? childOf(node, 'schema'),
  }
}

function formOf(node: JsonObject, where: string, content: readonly MediaType[]): ParameterForm {
  const style = textIn(node, 'style') ?? (/query|cookie/.test(where) ? 'form' : 'simple')
  const explode = childOf(node, 'explode')
  return {
    style,
    isExploded: typeof explode === 'boolean' ? explode : style === 'form',
    takesReserved: childOf(node, 'allowReserved') === true,
    mediaType: content[0]?.type,
  }
}

/** Reads the headers of a response. `Content-Type` belongs to the body. */
export function readHeaders(
  context: ReadContext,
  node: JsonObject,
  place: DocumentPlace,
): readonly ApiParameter[] {
  const at = [...place, 'headers']
  return membersIn(context, childOf(node, 'headers'), at).flatMap(([name, header]) => {
    const headerNode = findNode(context, header, [...at, name])
    if (headerNode === undefined || name.toLowerCase() === 'content-type') return []
    return [parameterOf(context, { ...headerNode, where: 'header', name }, [...at, name])]
  })
}

/** Reads the media types of a body. */
export function readMediaTypes(
  context: ReadContext,
  node: JsonObject,
  place: DocumentPlace,
): readonly MediaType[] {
  const at = [...place, 'content']
  return membersIn(context, childOf(node, 'content'), at).flatMap(([type, mediaType]) => {
    const mediaNode = findNode(context, mediaType, [...at, type])
    if (mediaNode === undefined) return []
    const { node } = mediaNode
    const item = childOf(node, 'itemSchema')
    return [
      {
        type: type.toLowerCase().replaceAll(/\s/g, ''),
        schema: childOf(node, 'schema') ?? (item === undefined ? item : { items: item }),
        encoding: childOf(node, 'encoding') ?? null,
      },
    ]
  })
}

/** Reads how long an operation or a parameter stays. */
export function readLifetime(node: JsonObject): EndNotice {
  return {
    isDeprecated: childOf(node, 'deprecated') === true,
    sunset: textIn(node, 'x-sunset'),
  }
}

/** A place of a document for messages: `['paths', '/pets', 'get']`. */
export type DocumentPlace = readonly (string | number)[]

/** A document while it is read. */
export interface ReadContext {
  readonly name: DocumentName
  readonly root: JsonObject
  /** Collects the references that lead to nothing. */
  readonly unreadable: Set<string>
}

/** Makes the error for a part of a document that has another form than OpenAPI's. */
export function documentFault(
  { name }: Pick<ReadContext, 'name'>,
  place: DocumentPlace,
  text: string,
): TypeError {
  const where = place.length === 0 ? '' : ` at ${place.join(' ')}`
  return new TypeError(`The ${name} document is no OpenAPI document${where}: ${text}.`)
}

/** A part of a document, references followed. */
export interface FoundNode {
  readonly node: JsonObject
  readonly shared: string | undefined
}

/**
 * Follows a reference to an object. Notes a reference to nothing, and returns `undefined` for it.
 *
 * @throws {TypeError} For a value that is no object.
 */
export function findNode(
  context: ReadContext,
  json: Json | undefined,
  place: DocumentPlace,
): FoundNode | undefined {
  const { node, shared }: Followed = followChain(json, context.root)
  if (isJsonObject(node)) return { node, shared }
  if (node === undefined && shared !== undefined) {
    context.unreadable.add(String(childOf(json, '$ref')))
    return undefined
  }
  throw documentFault(context, place, 'write an object')
}

/**
 * Returns the members of an object that may be missing.
 *
 * @throws {TypeError} For another value than an object.
 */
export function membersIn(
  context: ReadContext,
  json: Json | undefined,
  place: DocumentPlace,
): readonly (readonly [string, Json])[] {
  // YAML writes an empty member as `null`.
  if (json === undefined || json === null) return []
  if (!isJsonObject(json)) throw documentFault(context, place, 'write an object')
  return Object.entries(json)
}

/**
 * Returns the elements of a list that may be missing.
 *
 * @throws {TypeError} For another value than a list.
 */
export function listIn(
  context: ReadContext,
  json: Json | undefined,
  place: DocumentPlace,
): readonly Json[] {
  // YAML writes an empty member as `null`.
  if (json === undefined || json === null) return []
  if (!Array.isArray(json)) throw documentFault(context, place, 'write a list')
  return json
}
