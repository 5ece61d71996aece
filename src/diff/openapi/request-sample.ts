import type { Json } from '../../contract/schema/schema.ts'
import type { Witness } from '../../schemas/change.ts'
import { isJsonObject, type JsonObject } from '../../sets/canonical.ts'
import { isSubset, sampleOf } from '../../sets/subset.ts'
import { defined } from '../../wire/defined.ts'
import type { WitnessExchange } from '../change.ts'
import { type ApiOperation, type ApiParameter, childOf, elementsOf } from './api-document.ts'
import type { OperationPair, SchemaComparison } from './pairs.ts'
import { rootOf } from './schema-book.ts'

/** The parts of a request that it has to show. The rest is any valid value. */
interface SampleParts {
  readonly parameter?: { readonly of: ApiParameter; readonly value: Json } | undefined
  /** A whole body; `undefined` for any. */
  readonly body?: Json | undefined
  readonly mediaType?: string | undefined
}

/**
 * Makes a request that an operation of the old document takes; `undefined` where no value of a
 * required part is known.
 */
export function sampleRequest(
  operation: ApiOperation,
  schemas: SchemaComparison,
  parts: SampleParts = {},
): WitnessExchange | undefined {
  const written: Written[] = []
  for (const parameter of operation.parameters) {
    const isShown = parameter.key === parts.parameter?.of.key
    if (!parameter.isRequired && !isShown) continue
    const value = isShown ? parts.parameter?.value : sampleIn(parameter.schema, schemas, filled)
    if (value === undefined) return undefined
    written.push({ parameter, text: formatParameter(parameter, value) })
  }
  const mediaType = parts.mediaType ?? typeOf(operation, parts)
  const media = operation.body?.content.find(({ type }) => type === mediaType)
  const body = parts.body === undefined ? media && sampleIn(media.schema, schemas) : parts.body
  if (body === undefined && mediaType !== undefined) return undefined
  const texts = (where: string) => written.filter(({ parameter }) => parameter.in === where)
  const query = [...texts('query'), ...texts('querystring')].map(({ text }) => text).join('&')
  const path = pathOf(operation, texts('path'))
  const header = headerOf([...texts('header'), ...texts('cookie')], { ...parts, mediaType })
  return {
    method: operation.method,
    target: query === '' ? path : `${path}?${query}`,
    ...defined({ header, body }),
  }
}

interface Written {
  readonly parameter: ApiParameter
  readonly text: string
}

function pathOf({ path }: ApiOperation, written: readonly Written[]): string {
  return path.replaceAll(/\{([^{}]*)\}/g, (template, name: string) => {
    return written.find(({ parameter }) => parameter.name === name)?.text ?? template
  })
}

// An exchange shows one header: the one that matters, or the first.
function headerOf(written: readonly Written[], parts: SampleParts): string | undefined {
  if (parts.mediaType !== undefined && !isJsonType(parts.mediaType)) {
    return `Content-Type: ${parts.mediaType}`
  }
  const header =
    written.find(({ parameter }) => parameter.key === parts.parameter?.of.key) ?? written[0]
  if (header === undefined) return undefined
  const { parameter, text } = header
  return parameter.in === 'cookie' ? `Cookie: ${text}` : `${parameter.name}: ${text}`
}

/** Tells whether a media type is JSON. */
function isJsonType(type: string): boolean {
  return /^(?:application\/(?:[^;]*\+)?json|\*\/\*|application\/\*)(?:;|$)/.test(type)
}

// An empty id would name another path, and an empty list has no text.
const filled = { not: { enum: ['', '.', '..'] }, minItems: 1, minProperties: 1 }

// A body that may be missing is left out.
function typeOf({ body }: ApiOperation, parts: SampleParts): string | undefined {
  if (body === undefined || (!body.isRequired && parts.body === undefined)) return undefined
  return (body.content.find(({ type }) => isJsonType(type)) ?? body.content[0])?.type
}

/** Makes an exchange that shows an answer; its target is a valid one. */
export function sampleAnswer(
  operation: ApiOperation,
  schemas: SchemaComparison,
  answer: Json,
): WitnessExchange {
  const request = sampleRequest(operation, schemas)
  const { method, target } = request ?? { method: operation.method, target: operation.path }
  return { method, target, answer }
}

/**
 * Writes a parameter with a value as its style says: `limit=5` of a query, `5` of a path or a
 * header.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#style-values
 */
function formatParameter(parameter: ApiParameter, value: Json): string {
  const { name, form } = parameter
  if (form.mediaType !== undefined) return named(parameter, escaped(JSON.stringify(value)))
  const parts = partsOf(value)
  if (parts === undefined) return named(parameter, escaped(textOf(value)))
  switch (form.style) {
    case 'deepObject':
      return parts.map(([key, text]) => `${escaped(name)}[${key}]=${text}`).join('&')
    case 'matrix':
    case 'form':
      if (!form.isExploded) return named(parameter, flat(parts, parameter))
      return `${lead(parameter)}${parts
        .map(([key, text]) => `${key ?? escaped(name)}=${text}`)
        .join(form.style === 'form' ? '&' : ';')}`
    default:
      return form.isExploded && isJsonObject(value)
        ? named(parameter, parts.map((pair) => pair.join('=')).join(delimiterOf(parameter)))
        : named(parameter, flat(parts, parameter))
  }
}

type Parts = readonly (readonly [key: string | undefined, text: string])[]

function partsOf(value: Json): Parts | undefined {
  if (Array.isArray(value))
    return value.map((element) => [undefined, escaped(textOf(element))] as const)
  if (!isJsonObject(value)) return undefined
  return Object.entries(value).map(
    ([key, element]) => [escaped(key), escaped(textOf(element))] as const,
  )
}

function flat(parts: Parts, parameter: ApiParameter): string {
  return parts
    .flatMap((pair) => pair.filter((text) => text !== undefined))
    .join(delimiterOf(parameter))
}

function delimiterOf({ form: { style, isExploded } }: ApiParameter): string {
  if (style === 'spaceDelimited') return '%20'
  if (style === 'pipeDelimited') return '%7C'
  return style === 'label' && isExploded ? '.' : ','
}

function named(parameter: ApiParameter, text: string): string {
  const { in: where, name, form } = parameter
  const isBare = where === 'path' || where === 'header' || where === 'querystring'
  if (form.style === 'matrix') return `;${name}=${text}`
  return isBare ? `${lead(parameter)}${text}` : `${escaped(name)}=${text}`
}

function lead({ form: { style } }: ApiParameter): string {
  if (style === 'label') return '.'
  return style === 'matrix' ? ';' : ''
}

function textOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

const readable: readonly Json[] = [1, '1', 'a', true]

/**
 * Returns a value of a schema of the old document, a short one if possible; `undefined` where none
 * is known.
 *
 * @param wish Further keywords that the value meets where it can.
 */
function sampleIn(
  written: Json | undefined,
  schemas: SchemaComparison,
  wish: JsonObject = {},
): Json | undefined {
  const schema = rootOf(schemas.read(written, { document: 'old', use: 'request' }))
  const subschemas = elementsOf(childOf(schema, 'allOf'))
  const narrow = { ...schema, allOf: [...subschemas, wish] }
  const isIn = (value: Json) => isSubset({ const: value }, narrow).answer === 'yes'
  return readable.find(isIn) ?? sampleOf(narrow) ?? sampleOf(schema)
}

/** Makes a request with a parameter, and with a value of it: any, unless one is given. */
export function requestWith(
  pair: OperationPair,
  of: ApiParameter,
  witness?: Witness,
): WitnessExchange | undefined {
  const value = witness ? witness.value : sampleIn(of.schema, pair.schemas, parted)
  if (value === undefined) return undefined
  return sampleRequest(pair.old, pair.schemas, { parameter: { of, value } })
}

// Two elements show how a list is written.
const parted = { not: { enum: ['', '.', '..'] }, minItems: 2, minProperties: 1 }
