import { listOf, membersOf, typesOf } from '../../contract/schema/json-schema.ts'
import type { Json } from '../../contract/schema/schema.ts'
import { isRecord } from '../../convention/value.ts'
import type { JsonObject, SnapshotResource } from '../snapshot.ts'

/** The form of a link in a snapshot. */
export type LinkForm =
  | { readonly form: 'plain'; readonly of: string }
  | { readonly form: 'values'; readonly of: string; readonly values: JsonObject }
  | { readonly form: 'absent'; readonly of: string; readonly absent: Json }
  | { readonly form: 'member'; readonly of: string; readonly member: string }
  | { readonly form: 'join'; readonly of: readonly string[] }
  | { readonly form: 'part'; readonly of: string; readonly part: number }
  | { readonly form: 'always'; readonly value: Json }
  | { readonly form: 'function'; readonly of: string }

/** Reads the link of a field of a view. A field without a link has one of its own name. */
export function linkFormOf({ fields }: SnapshotResource, field: string): LinkForm {
  const link = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (typeof link === 'string') return { form: 'plain', of: link }
  if (!isRecord(link)) return { form: 'plain', of: field }
  const { of, values, absent, join, part, in: object, field: member, always } = link
  if (always !== undefined) return { form: 'always', value: always as Json }
  if (Array.isArray(join)) return { form: 'join', of: listOf(join).map(String) }
  if (typeof object === 'string') return { form: 'member', of: object, member: String(member) }
  const source = String(of)
  if (isRecord(values)) return { form: 'values', of: source, values: values as JsonObject }
  if (absent !== undefined) return { form: 'absent', of: source, absent: absent as Json }
  if (typeof part === 'number') return { form: 'part', of: source, part }
  return { form: 'function', of: source }
}

/** Returns the source fields of a link. */
export function sourcesOf(link: LinkForm): readonly string[] {
  if (link.form === 'always') return []
  return link.form === 'join' ? link.of : [link.of]
}

/** A row of a table of values: what is stored, and what the view shows. */
export interface TableRow {
  readonly stored: Json
  readonly shown: Json
}

/** Returns the rows of a table of values. Its keys are text, whatever the field's type. */
export function tableRows(values: JsonObject, schema: JsonObject): readonly TableRow[] {
  const types = membersOf(schema).flatMap(typesOf)
  const storedOf = (key: string): Json => {
    if (types.includes('boolean')) return key === 'true'
    return types.includes('number') || types.includes('integer') ? Number(key) : key
  }
  return Object.entries(values).map(([key, shown]) => ({ stored: storedOf(key), shown }))
}
