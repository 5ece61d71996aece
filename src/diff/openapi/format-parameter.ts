import type { Json } from '../../contract/schema/schema.ts'
import { isJsonObject } from '../canonical.ts'
import type { ApiParameter } from './api-document.ts'

/**
 * Writes a parameter with a value as its style says: `limit=5` of a query, `5` of a path or a
 * header.
 *
 * @see https://spec.openapis.org/oas/v3.1.1.html#style-values
 */
export function formatParameter(parameter: ApiParameter, value: Json): string {
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
        ? named(parameter, parts.map((part) => part.join('=')).join(delimiterOf(parameter)))
        : named(parameter, flat(parts, parameter))
  }
}

type Parts = readonly (readonly [key: string | undefined, text: string])[]

function partsOf(value: Json): Parts | undefined {
  if (Array.isArray(value)) return value.map((part) => [undefined, escaped(textOf(part))] as const)
  if (!isJsonObject(value)) return undefined
  return Object.entries(value).map(([key, part]) => [escaped(key), escaped(textOf(part))] as const)
}

function flat(parts: Parts, parameter: ApiParameter): string {
  return parts
    .flatMap((part) => part.filter((text) => text !== undefined))
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
