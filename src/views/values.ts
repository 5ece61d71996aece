import type { Link } from '../contract/resource/link.ts'
import type { Resource } from '../contract/resource/resource.ts'
import {
  coversToken,
  describeToken,
  type PossibleValues,
  possibleValuesAt,
  tokenOf,
  valueOfToken,
} from '../contract/schema/possible-values.ts'
import { namedFieldsOf, requiredFieldsOf } from '../contract/schema/required.ts'
import type { StandardSchema } from '../contract/schema/schema.ts'

interface Schemas {
  readonly schema: StandardSchema
}

interface Linked {
  /** The source resource. */
  readonly of: Resource
  readonly links: readonly Link[]
}

/**
 * Returns the faults of fields that cannot show every value of the source items, each with its
 * remedy. Else one write of a version would break the reads of another.
 *
 * @see docs/requests.md, C7.1
 */
export function faultsOfValues(view: Schemas, { of, links }: Linked): readonly string[] {
  return links.flatMap((link) =>
    link.fields.flatMap((field) => {
      // An id has a schema of its own.
      if (field === 'id') return []
      const projected = projectedValuesOf(link, of, field)
      const accepted = possibleValuesAt(view.schema, [field])
      if (projected === undefined) return []
      const unmapped = valueWithoutRow(link, of)
      if (unmapped !== undefined)
        return [
          `has no row for ${describeToken(unmapped)} in "values" of "${field}", which ` +
            `"${link.of[0]}" of "${of.name}" may hold: add it`,
        ]
      const isNull = readsMissingAsNull({ projected, accepted })
      const gap = [...projected].find(
        (token) =>
          token !== 'any' && !coversToken(accepted, token) && !(token === 'missing' && isNull),
      )
      return gap === undefined ? [] : [faultOfGap(gap, { field, link, of })]
    }),
  )
}

/**
 * Returns the fields that the view requires, whose missing values read as `null`. A `null` that a
 * client writes is missing in the source item, unless `null` is a value there.
 */
export function fieldsWithNull(link: Link, { of, view }: { of: Resource; view: Schemas }) {
  const fields = link.fields.filter((field) => {
    const projected = projectedValuesOf(link, of, field)
    const accepted = possibleValuesAt(view.schema, [field])
    return projected !== undefined && readsMissingAsNull({ projected, accepted })
  })
  const isStored = fields.some((field) => projectedValuesOf(link, of, field)?.has('null'))
  return { fields, isStored }
}

/** Returns the value that stands for an object without members, by the schema of the object. */
export function noObjectFor({ schema }: Schemas, [source, member]: readonly [string, string]) {
  const values = possibleValuesAt(schema, [source, member])
  if (values.has('missing') || !values.has('no object')) return {}
  return possibleValuesAt(schema, [source]).has('null') ? null : undefined
}

interface FieldValues {
  readonly projected: PossibleValues
  /** By the schema of the view. */
  readonly accepted: PossibleValues
}

function readsMissingAsNull({ projected, accepted }: FieldValues): boolean {
  return projected.has('missing') && !accepted.has('missing') && accepted.has('null')
}

type ProjectedValues = (link: Link, of: Resource, field: string) => PossibleValues | undefined

// A function of the author is the concern of its author.
const valuesByForm: { readonly [Form in Link['form']]: ProjectedValues } = {
  name: sourceValues,
  values: (link, of) => {
    const source = sourceValues(link, of)
    const rows = [...new Map(link.table)].filter(([, stored]) =>
      stored.some((value) => coversToken(source, tokenOf(value))),
    )
    const tokens = rows.map(([value]) => tokenOf(value))
    return new Set([...tokens, ...tokensIn(source, ['null', 'missing'])])
  },
  absent: (link, of) => {
    const source = sourceValues(link, of)
    const present = [...source].filter((token) => token !== 'null' && token !== 'missing')
    const isLacking = tokensIn(source, ['null', 'missing']).length > 0
    return new Set([...present, ...(isLacking ? [tokenOf(link.absent)] : [])])
  },
  join: ({ of: names, readers: [reader] }, of) => {
    const sources = names.map((name) => [...possibleValuesAt(of.schema, [name])])
    const isLacking = (source: readonly string[]): boolean =>
      source.some((token) => token === 'null' || token === 'missing')
    const isOpen = sources.flat().some((token) => token === 'string' || token === 'any')
    if (isOpen) return new Set(sources.every(isLacking) ? ['string', 'missing'] : ['string'])
    const [firstTokens = [], secondTokens = []] = sources
    const pairs = firstTokens.flatMap((first) =>
      secondTokens.map((second) => [first, second].map(valueOfToken)),
    )
    const items = pairs.map((pair) =>
      Object.fromEntries(pair.map((value, at) => [names[at], value])),
    )
    return new Set(items.map((item) => tokenOf(reader?.show?.(undefined, item))))
  },
  part: (link, of, field) => {
    const reader = link.readers.find((candidate) => candidate.field === field)
    const isText = (token: string): boolean => token.startsWith('="')
    const projectToken = (token: string): string =>
      isText(token) ? tokenOf(reader?.show?.(valueOfToken(token), {})) : token
    return new Set([...sourceValues(link, of)].map(projectToken))
  },
  in: (link, of) => {
    const [source = '', member = ''] = [...link.of, link.member]
    if (sourceValues(link, of).has('any')) return undefined
    const values = possibleValuesAt(of.schema, [source, member])
    return new Set([...values].map((token) => (token === 'no object' ? 'missing' : token)))
  },
  read: () => undefined,
  always: (link) => new Set([tokenOf(link.absent)]),
}

function projectedValuesOf(link: Link, of: Resource, field: string): PossibleValues | undefined {
  const names = namedFieldsOf(of.schema)
  const hasSources = link.of.every((source) => names?.includes(source))
  return hasSources ? valuesByForm[link.form](link, of, field) : undefined
}

function valueWithoutRow(link: Link, of: Resource): string | undefined {
  if (link.table === undefined) return undefined
  const rows = new Set([...link.table.values()].flat().map(tokenOf))
  const rowless = ['any', 'null', 'missing']
  return [...sourceValues(link, of)].find((token) => !rowless.includes(token) && !rows.has(token))
}

function sourceValues({ of: [source = ''] }: Link, { schema }: Resource) {
  return possibleValuesAt(schema, [source])
}

function tokensIn(values: PossibleValues, tokens: readonly string[]): readonly string[] {
  return tokens.filter((token) => values.has(token))
}

interface Gap {
  readonly field: string
  readonly link: Link
  readonly of: Resource
}

function faultOfGap(token: string, { field, link, of }: Gap): string {
  const value = describeToken(token)
  if (link.form === 'always')
    return `shows ${value} in "${field}", which its schema refuses: write another constant`
  const source = sourcePathOf(link, of)
  const isPlain = link.form === 'name'
  const standIn = isPlain ? `write "${field}: { of: '${source}', absent: … }", or ` : ''
  const hide = `leave it out and hide "${link.of[0]}"`
  if (token === 'missing') {
    const start = `requires "${field}", but an item of "${of.name}" may lack its "${source}"`
    const alternative = isPlain ? hide : `make it nullable, or ${hide}`
    return `${start}: ${standIn}make "${field}" optional. Or ${alternative}`
  }
  const start = `may show ${value} in "${field}", by "${source}" of "${of.name}"`
  const remedy = token === 'null' ? `${standIn}make "${field}" nullable` : 'let it take that'
  return `${start}, which its schema refuses: ${remedy}. Or ${hide}`
}

// The source field, or the member of it, that may lack a value.
function sourcePathOf({ form, of: sources, member }: Link, { schema }: Resource): string {
  const [first = ''] = sources
  const required = requiredFieldsOf(schema) ?? []
  if (form === 'join') return sources.find((name) => !required.includes(name)) ?? first
  const object = possibleValuesAt(schema, [first])
  const isObject = object.size === 1 && object.has('object')
  return form === 'in' && isObject ? `${first}.${member}` : first
}
