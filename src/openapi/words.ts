import type { Collection } from '../model/api.ts'
import { type OperationKind, operations, reservedWords } from '../model/convention.ts'
import { segmentOfTarget } from '../model/target.ts'
import { listed, oneOf, pluralOf, sentence, singularOf } from './names.ts'
import type { OpenApiOptions } from './options.ts'
import type { Service } from './source.ts'

/** What an operation does, in a line: `List the employees of a company`. */
export function summaryOf(
  kind: OperationKind,
  { resource: { name }, ancestors }: Collection,
): string {
  const owner = ancestors.at(-1)
  const of = owner === undefined ? '' : ` of ${oneOf(owner.resource.name)}`
  const summaries: Readonly<Partial<Record<OperationKind, string>>> = {
    list: `List ${pluralOf(name)}`,
    create: `Create ${oneOf(name)}`,
    updateMany: `Replace some ${pluralOf(name)}`,
    deleteAll: `Delete all ${pluralOf(name)}`,
    read: `Read ${oneOf(name)}`,
    update: `Replace ${oneOf(name)}`,
    delete: `Delete ${oneOf(name)}`,
    first: `Read the first ${singularOf(name)}`,
    last: `Read the last ${singularOf(name)}`,
    count: `Count ${pluralOf(name)}`,
  }
  return (summaries[kind] ?? `${sentence(kind)} ${oneOf(name)}`) + of
}

const conditions =
  ' The server holds `If-Match` and a revision in the body against the stored revision.'

/** What an operation does, in a few sentences. */
export function descriptionOf(
  kind: OperationKind,
  { resource: { revision, defaultLimit }, ancestors }: Collection,
): string | undefined {
  const condition = revision === undefined ? '' : conditions
  const everything = ancestors.length > 0 ? 'everything under this parent' : 'everything'
  const descriptions: Readonly<Partial<Record<OperationKind, string>>> = {
    list: `Always an array. ${defaultLimit === undefined ? 'Without `limit` it is the whole list.' : ''} Where it was cut, \`Link\` leads to the rest.`,
    create: '`Location` is the path of the new item.',
    updateMany:
      'Replaces exactly the items that are sent, all of them or none; others stay as they are. Each item is sent whole, with its id.',
    deleteAll: `Deletes ${everything}. A query or a body is refused, since whoever sends one means less than that.`,
    read: 'Conditions and ranges are ignored: the answer is always whole.',
    update: `Replaces the whole item; there is no creating by PUT.${condition}`,
    delete: `Answers with what was deleted.${revision === undefined ? '' : ' The server holds `If-Match` against the stored revision.'}`,
    first: 'The first that matches, in the order of `sort`.',
    last: 'The last that matches: the first of the exact reverse order.',
    count: 'How many match.',
  }
  return descriptions[kind]?.replaceAll('  ', ' ')
}

/** What is said of a noun: where it is, what it can be sorted by and searched in. */
export function tagDescription(collections: readonly Collection[]): string {
  const places = [...new Set(collections.map(templateOf))].map((template) => `\`${template}\``)
  const resources = [...new Set(collections.map(({ resource }) => resource))]
  const [only] = resources.length === 1 ? resources : []
  return [`At ${listed(places)}.`, only === undefined ? '' : queryWords(only)].join(' ').trim()
}

function queryWords({ sortable, searchable }: Collection['resource']): string {
  const sentences = [
    sortable.length > 0 ? `Can be sorted by ${listed(sortable)}.` : '',
    searchable.length > 0 ? `\`q\` searches in ${listed(searchable)}.` : '',
  ]
  return sentences.join(' ').trim()
}

/** The path of a collection as OpenAPI writes it: `/v1/companies/{company_id}/employees`. */
export function templateOf({ version, path }: Collection): string {
  return `/${version}${path.replaceAll(/:([^/]+)/g, '{$1}')}`
}

/** The noun that a collection's path ends with. */
export function nounOf({ path }: Collection): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** The description of the service, with what holds for every path after it. */
export function infoDescription({ info, methods }: OpenApiOptions, service: Service): string {
  const versions = [...service.api.versions.keys()]
  const head =
    'HEAD is answered as GET, without the body. OPTIONS tells what a path takes, in `Allow` and as JSON.'
  const rules = [
    defaultVersionWords(service),
    'One slash at the end of a path is ignored, except by PUT and DELETE on a collection, which refuse it.',
    methods === 'main' ? head : '',
    'A method that a path does not take is answered 405, with `Allow`; a path that names nothing 404, with the code `unknown_resource` or `unknown_version`.',
    `Ids are text of 1 to 255 characters, percent-encoded in a path; ${listed(reservedWords.map((word) => `\`${word}\``))} are never ids.`,
    'Parameters that an operation does not take are refused, and so is one given twice. Bodies are `application/json` in UTF-8; a key given twice is refused.',
  ]
  const list = rules.filter((rule) => rule !== '').map((rule) => `- ${rule}`)
  const about = info.description === undefined ? [] : [info.description.trim()]
  const title = versions.length > 1 ? 'For every path of every version:' : 'For every path:'
  return [...about, title, list.join('\n')].join('\n\n')
}

function defaultVersionWords({ defaultVersion }: Service): string {
  if (defaultVersion === undefined) return ''
  return defaultVersion === false
    ? 'A path starts with its version.'
    : `A path may leave out the version: \`/x\` is \`/${defaultVersion}/x\`.`
}

/** What HEAD and OPTIONS are summed up as. */
export const sharedMethods = {
  tag: 'HEAD and OPTIONS',
  description: `HEAD is GET without the body. OPTIONS tells what a path takes: its operations, their parameters, and limits.`,
  options: 'Describe what the path takes',
  head: (kind: OperationKind, collection: Collection): string =>
    sentence(`${summaryOf(kind, collection)}, without the body`),
} as const

/** The segment that a target adds to the path of its collection. */
export function segmentOf(kind: OperationKind): string {
  return segmentOfTarget(operations[kind].target).replace(':id', '{id}')
}
