import type { Json } from '../../contract/schema/schema.ts'
import type { JsonObject } from '../snapshot.ts'
import type { ApiParameter, EndNotice, MediaType, ParameterForm } from './api-document.ts'
import { childOf, textIn } from './json-node.ts'
import {
  type DocumentPlace,
  documentFault,
  findNode,
  listIn,
  membersIn,
  type ReadContext,
} from './read-context.ts'

const locations = ['query', 'querystring', 'path', 'header', 'cookie']

// OpenAPI gives these headers other places: the body, the responses and the security.
const ignoredHeaders = ['accept', 'content-type', 'authorization']

/** The places of parameters: an operation, and the path around it. */
export interface ParameterLists {
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
    listIn(context, childOf(node, 'parameters'), at).flatMap((given, index) =>
      readParameter(context, given, [...at, index]),
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
  given: Json,
  place: DocumentPlace,
): readonly ApiParameter[] {
  const found = findNode(context, given, place)
  if (found === undefined) return []
  const where = textIn(found.node, 'in')
  const name = textIn(found.node, 'name')
  if (where === undefined || !locations.includes(where)) {
    throw documentFault(context, place, `"in" is one of ${locations.join(', ')}`)
  }
  if (name === undefined) throw documentFault(context, place, 'write a text as "name"')
  if (where === 'header' && ignoredHeaders.includes(name.toLowerCase())) return []
  return [parameterOf(context, { ...found, where, name }, place)]
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
  return membersIn(context, childOf(node, 'headers'), at).flatMap(([name, given]) => {
    const found = findNode(context, given, [...at, name])
    if (found === undefined || name.toLowerCase() === 'content-type') return []
    return [parameterOf(context, { ...found, where: 'header', name }, [...at, name])]
  })
}

/** Reads the media types of a body. */
export function readMediaTypes(
  context: ReadContext,
  node: JsonObject,
  place: DocumentPlace,
): readonly MediaType[] {
  const at = [...place, 'content']
  return membersIn(context, childOf(node, 'content'), at).flatMap(([type, given]) => {
    const found = findNode(context, given, [...at, type])
    if (found === undefined) return []
    const { node } = found
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
