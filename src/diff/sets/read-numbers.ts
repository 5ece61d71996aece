import type { NumberKeyword } from './value-set.ts'

/** Reads the keywords of a JSON Schema about numbers. */
export function readNumbers(schema: Readonly<Record<string, unknown>>): readonly NumberKeyword[] {
  const bounds = (['minimum', 'maximum'] as const).flatMap((kind) => readBound(schema, kind))
  const { multipleOf } = schema
  return [
    ...bounds,
    ...(isNumber(multipleOf) && multipleOf > 0
      ? [{ kind: 'multipleOf' as const, divisor: multipleOf }]
      : []),
    ...readWidth(schema),
  ]
}

function readBound(
  schema: Readonly<Record<string, unknown>>,
  kind: 'minimum' | 'maximum',
): readonly NumberKeyword[] {
  const limit = schema[kind]
  const exclusive = schema[kind === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum']
  return [
    // Draft 4 and OpenAPI 3.0 have a flag beside the bound.
    ...(isNumber(limit) && !isSafeBound(schema, limit)
      ? [{ kind, limit, isExclusive: exclusive === true }]
      : []),
    ...(isNumber(exclusive) ? [{ kind, limit: exclusive, isExclusive: true }] : []),
  ]
}

// The formats of OpenAPI that bound a whole number.
const widths: { readonly [format: string]: number } = { int32: 2 ** 31, int64: 2 ** 63 }

function readWidth({ format }: Readonly<Record<string, unknown>>): readonly NumberKeyword[] {
  const width = typeof format === 'string' && Object.hasOwn(widths, format) ? widths[format] : 0
  return width
    ? [
        { kind: 'multipleOf', divisor: 1 },
        { kind: 'minimum', limit: -width, isExclusive: false },
        { kind: 'maximum', limit: width, isExclusive: true },
      ]
    : []
}

/**
 * Tells whether a bound says no more than that a whole number is exact: some validators add it to
 * each of them.
 */
export function isSafeBound({ type }: Readonly<Record<string, unknown>>, limit: unknown): boolean {
  return type === 'integer' && Math.abs(Number(limit)) === Number.MAX_SAFE_INTEGER
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value)
}
