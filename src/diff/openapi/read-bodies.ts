import type { Json } from '../../contract/schema/schema.ts'
import type { JsonObject } from '../snapshot.ts'
import type { ApiResponse, MediaType, RequestBody } from './api-document.ts'
import { childOf } from './json-node.ts'
import { type DocumentPlace, findNode, membersIn, type ReadContext } from './read-context.ts'
import { readHeaders, readMediaTypes } from './read-parameter.ts'

/** The body that an operation takes, and its responses by status. */
export interface OperationBodies {
  readonly body: RequestBody | undefined
  readonly responses: ReadonlyMap<string, ApiResponse>
}

/**
 * Reads the bodies of an operation. `x-nounful-dry-run` describes a response more exactly, and
 * `x-nounful-many` adds those of arrays: the operation then takes and gives an item or an array.
 */
export function readBodies(
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
  part: Json | undefined,
  place: DocumentPlace,
): OperationBodies {
  const node = childOf(part, 'requestBody')
  const found = node === undefined ? undefined : findNode(context, node, [...place, 'requestBody'])
  return {
    body: found && {
      shared: found.shared,
      isRequired: childOf(found.node, 'required') === true,
      content: readMediaTypes(context, found.node, [...place, 'requestBody']),
    },
    responses: readResponses(context, childOf(part, 'responses'), [...place, 'responses']),
  }
}

function readResponses(
  context: ReadContext,
  responses: Json | undefined,
  place: DocumentPlace,
): ReadonlyMap<string, ApiResponse> {
  return new Map(
    membersIn(context, responses, place).flatMap(([status, given]) => {
      if (status.startsWith('x-')) return []
      const at = [...place, status]
      const found = findNode(context, given, at)
      if (found === undefined) return []
      const response = {
        shared: found.shared,
        content: readMediaTypes(context, found.node, at),
        headers: readHeaders(context, found.node, at),
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
  one: Body,
  many: Body,
): Body {
  const content = one.content.map((media) => {
    const array = many.content.find(({ type }) => type === media.type)
    if (array?.schema === undefined || media.schema === undefined) return media
    return { ...media, schema: { oneOf: [media.schema, array.schema] } }
  })
  return { ...one, content }
}
