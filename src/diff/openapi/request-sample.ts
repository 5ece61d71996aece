import type { Json } from '../../contract/schema/schema.ts'
import type { Witness, WitnessExchange } from '../change.ts'
import type { ApiOperation, ApiParameter } from './api-document.ts'
import { formatParameter } from './format-parameter.ts'
import { shortSampleOf } from './sample.ts'
import { rootOf } from './schema-book.ts'
import type { SchemaComparison } from './schema-comparison.ts'

/** The parts of a request that it has to show. The rest is any valid value. */
export interface SampleParts {
  readonly parameter?: { readonly of: ApiParameter; readonly value: Json } | undefined
  /** A whole body. */
  readonly body?: Witness | undefined
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
  const sent = operation.parameters
    .filter(({ isRequired, key }) => isRequired || key === parts.parameter?.of.key)
    .map((parameter) => ({ parameter, value: valueFor(parameter, schemas, parts) }))
  if (sent.some(({ value }) => value === undefined)) return undefined
  const written = sent.map(({ parameter, value }) => ({
    parameter,
    text: formatParameter(parameter, value?.value ?? null),
  }))
  const type = parts.mediaType ?? typeOf(operation, parts)
  const body = bodyFor(operation, schemas, { ...parts, mediaType: type })
  if (body === undefined && type !== undefined) return undefined
  const texts = (where: string) => written.filter(({ parameter }) => parameter.in === where)
  const query = [...texts('query'), ...texts('querystring')].map(({ text }) => text).join('&')
  const path = pathOf(operation, texts('path'))
  const header = headerOf([...texts('header'), ...texts('cookie')], { ...parts, mediaType: type })
  return {
    method: operation.method,
    target: query === '' ? path : `${path}?${query}`,
    ...(header === undefined ? {} : { header }),
    ...(body === undefined ? {} : { body: body.value }),
  }
}

interface Written {
  readonly parameter: ApiParameter
  readonly text: string
}

function pathOf({ path }: ApiOperation, written: readonly Written[]): string {
  return path.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    return written.find(({ parameter }) => parameter.name === name)?.text ?? whole
  })
}

// An exchange shows one header: the one that matters, or the first.
function headerOf(written: readonly Written[], parts: SampleParts): string | undefined {
  if (parts.mediaType !== undefined && !isJsonType(parts.mediaType)) {
    return `Content-Type: ${parts.mediaType}`
  }
  const shown =
    written.find(({ parameter }) => parameter.key === parts.parameter?.of.key) ?? written[0]
  if (shown === undefined) return undefined
  const { parameter, text } = shown
  return parameter.in === 'cookie' ? `Cookie: ${text}` : `${parameter.name}: ${text}`
}

/** Tells whether a media type is JSON. */
function isJsonType(type: string): boolean {
  return /^(?:application\/(?:[^;]*\+)?json|\*\/\*|application\/\*)(?:;|$)/.test(type)
}

function valueFor(
  parameter: ApiParameter,
  schemas: SchemaComparison,
  { parameter: shown }: SampleParts,
): Witness | undefined {
  if (shown?.of.key === parameter.key) return { value: shown.value }
  const owned = schemas.read(parameter.schema, { document: 'old', use: 'request' })
  return shortSampleOf(rootOf(owned), filled)
}

// An empty id would name another path, and an empty list has no text.
const filled = { not: { enum: ['', '.', '..'] }, minItems: 1, minProperties: 1 }

// A body that may be missing is left out.
function typeOf({ body }: ApiOperation, parts: SampleParts): string | undefined {
  if (body === undefined || (!body.isRequired && parts.body === undefined)) return undefined
  return (body.content.find(({ type }) => isJsonType(type)) ?? body.content[0])?.type
}

function bodyFor(
  { body }: ApiOperation,
  schemas: SchemaComparison,
  { body: shown, mediaType }: SampleParts,
): Witness | undefined {
  if (shown !== undefined) return shown
  const media = body?.content.find(({ type }) => type === mediaType)
  if (media === undefined) return undefined
  return shortSampleOf(rootOf(schemas.read(media.schema, { document: 'old', use: 'request' })))
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
