import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText } from '../canonical.ts'
import { propertyOf } from '../compare/properties.ts'
import type { LinkForm } from '../compare/view-forms.ts'
import { codeSpan } from '../report/markdown.ts'
import { shortJson } from '../report/short.ts'
import type { Snapshot, SnapshotResource } from '../snapshot.ts'
import { matchesIn, resourceIn, type Trace, type Traces, tracesOf } from './trace.ts'

/** A row of the table of fields: as it was, as it is, and what to do. */
export type FieldRow = readonly [from: string, to: string, words: string]

/** The names of the resources that two versions show at one path. */
export interface Shown {
  readonly from: string
  readonly to: string
}

/** Returns the rows of the fields that differ. */
export function fieldRows(snapshot: Snapshot, shown: Shown): readonly FieldRow[] {
  const { from, to } = tracesOf(snapshot, shown)
  const sides = { from: resourceIn(snapshot, shown.from), to: resourceIn(snapshot, shown.to) }
  const old = [...from].flatMap(([field, trace]) => {
    const fields = matchesIn(to, trace)
    const words = wordsOf({ field, trace, fields, to, sides })
    const names = fields.map(codeSpan).join(', ') || '–'
    return words === undefined ? [] : [[codeSpan(field), names, words] as const]
  })
  const fresh = [...to].flatMap(([field, trace]) =>
    matchesIn(from, trace).length > 0
      ? []
      : [['–', codeSpan(field), wordsOfNew(field, trace, sides)] as const],
  )
  return [...old, ...fresh]
}

interface Sides {
  readonly from: SnapshotResource | undefined
  readonly to: SnapshotResource | undefined
}

interface OldField {
  readonly field: string
  readonly trace: Trace
  /** The fields of the other version that share a stored field with it. */
  readonly fields: readonly string[]
  readonly to: Traces
  readonly sides: Sides
}

function wordsOf({ field, trace, fields, to, sides }: OldField): string | undefined {
  const [first] = fields
  const [form, ...more] = trace.forms
  if (form?.form === 'always') return `gone: it was always ${codeSpan(shortJson(form.value))}`
  if (first === undefined) return 'gone'
  const beyond = fields.flatMap((name) => to.get(name)?.forms ?? [])
  const [back] = beyond
  if (form === undefined && back === undefined) {
    const isSame = sameSchema(field, first, sides)
    if (first === field) return isSame ? undefined : 'other values: see the schema'
    return isSame ? 'renamed' : 'renamed, with other values: see the schema'
  }
  if (form !== undefined && more.length === 0 && back === undefined) return down(form, fields)
  if (form === undefined && back !== undefined && beyond.length === 1) return up(back)
  return 'made otherwise, in several steps'
}

function sameSchema(field: string, other: string, { from, to }: Sides): boolean {
  const [one, two] = [
    from?.item && propertyOf(from.item, field)?.schema,
    to?.item && propertyOf(to.item, other)?.schema,
  ]
  return canonicalText(one ?? null) === canonicalText(two ?? null)
}

function down(form: LinkForm, fields: readonly string[]): string {
  switch (form.form) {
    case 'values':
      return tableWords(Object.entries(form.values).map(([stored, value]) => [value, stored]))
    case 'absent':
      return `may be missing, where it was ${codeSpan(shortJson(form.absent))}`
    case 'join':
      return `split: ${fields.map(codeSpan).join(' and ')}, joined by a space`
    case 'part':
      return `the ${form.part === 0 ? 'first' : 'second'} part of the text`
    case 'member':
      return `the member ${codeSpan(form.member)} of the object`
    default:
      return 'made by a function'
  }
}

function up(form: LinkForm): string {
  switch (form.form) {
    case 'values':
      return tableWords(Object.entries(form.values).map(([stored, value]) => [stored, value]))
    case 'absent':
      return `never missing: ${codeSpan(shortJson(form.absent))} stands for none`
    case 'join':
      return 'joined with another text by a space'
    case 'part':
      return `split: the ${form.part === 0 ? 'first' : 'second'} part is here`
    case 'member':
      return `only the member ${codeSpan(form.member)}`
    default:
      return 'made by a function'
  }
}

// The value that a client had first, then the value that it gets.
function tableWords(rows: readonly (readonly [Json, Json])[]): string {
  const groups = new Map<string, string[]>()
  for (const [from, to] of rows) {
    const key = said(from)
    groups.set(key, [...(groups.get(key) ?? []), said(to)])
  }
  return [...groups]
    .map(([from, to]) => `${codeSpan(from)} is ${to.map(codeSpan).join(' or ')}`)
    .join('; ')
}

function said(value: Json): string {
  return typeof value === 'string' ? value : shortJson(value)
}

function wordsOfNew(field: string, { of, forms }: Trace, { from, to }: Sides): string {
  const [form] = forms
  if (form?.form === 'always') return `new: always ${codeSpan(shortJson(form.value))}`
  const property = to?.create ? propertyOf(to.create, field) : undefined
  const isReadOnly = to?.readOnly.includes(field) ?? false
  const need = isReadOnly
    ? 'set by the server'
    : property?.isRequired
      ? 'required in POST'
      : 'optional'
  const [source = field] = of
  const hidden = from && Object.hasOwn(from.hidden, source) ? from.hidden[source] : undefined
  const isTold = hidden !== undefined && JSON.stringify(hidden) !== '{"function":true}'
  const initial = isTold ? `; items of the old version get ${codeSpan(shortJson(hidden))}` : ''
  return `new: ${need}${initial}`
}
