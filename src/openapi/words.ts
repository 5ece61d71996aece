import type { Collection } from '../model/api.ts'
import { maxIdLength, type OperationKind, operations } from '../model/convention.ts'
import { segmentOfTarget } from '../model/target.ts'
import { listed, oneOf, pluralOf, reservedText, sentence, singularOf } from './names.ts'
import type { OpenApiOptions } from './options.ts'
import type { Service } from './source.ts'

/** Summarizes an operation: `List the employees of a company`. */
export function operationSummary(
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

/** Describes an operation in a few sentences. */
export function operationDescription(
  kind: OperationKind,
  { resource: { revision, defaultLimit }, ancestors }: Collection,
): string | undefined {
  const compares = (values: string): string =>
    revision === undefined ? '' : ` The server compares ${values} with the stored revision.`
  const whole = defaultLimit === undefined ? ': all items without `limit`' : ''
  const all = ancestors.length > 0 ? 'all items under this parent' : 'all items'
  const descriptions: Readonly<Partial<Record<OperationKind, string>>> = {
    list: `Returns an array${whole}. \`Link\` leads to the next page.`,
    create: '`Location` is the path of the new item.',
    updateMany: 'Replaces the items in the body, all or none. Send each item whole, with its id.',
    deleteAll: `Deletes ${all}. The server rejects a query or a body, which could mean fewer.`,
    read: 'Ignores conditions and ranges: the response is always whole.',
    update: `Replaces the item. It must exist.${compares('`If-Match` and a revision in the body')}`,
    delete: `Returns the deleted item.${compares('`If-Match`')}`,
    first: 'Returns the first matching item in the order of `sort`.',
    last: 'Returns the last matching item: the first in exact reverse order.',
    count: 'Counts the matching items.',
  }
  return descriptions[kind]
}

/** Describes a noun: its paths, sortable and searchable fields. */
export function tagDescription(collections: readonly Collection[]): string {
  const paths = [...new Set(collections.map(templateOf))].map((template) => `\`${template}\``)
  const resources = [...new Set(collections.map(({ resource }) => resource))]
  const [only] = resources.length === 1 ? resources : []
  return [`At ${listed(paths)}.`, only === undefined ? '' : queryWords(only)].join(' ').trim()
}

function queryWords({ sortable, searchable }: Collection['resource']): string {
  const sentences = [
    sortable.length > 0 ? `Sortable by ${listed(sortable)}.` : '',
    searchable.length > 0 ? `\`q\` searches ${listed(searchable)}.` : '',
  ]
  return sentences.join(' ').trim()
}

/** Returns the path template of a collection: `/v1/companies/{company_id}/employees`. */
export function templateOf({ version, path }: Collection): string {
  return `/${version}${path.replaceAll(/:([^/]+)/g, '{$1}')}`
}

/** Describes the service, followed by the rules for every path. */
export function infoDescription({ info, methods }: OpenApiOptions, service: Service): string {
  const versions = [...service.api.versions.keys()]
  const head = 'HEAD is GET without the body. OPTIONS describes a path, in `Allow` and as JSON.'
  const rules = [
    defaultVersionWords(service),
    'The server ignores one slash at the end of a path, but rejects it in PUT and DELETE.',
    methods === 'main' ? head : '',
    'An unsupported method is 405 with `Allow`.',
    'An unknown path is 404, with the code `unknown_resource` or `unknown_version`.',
    `Ids have 1 to ${maxIdLength} characters. ${reservedText} are never ids.`,
    'The server rejects unknown and repeated parameters.',
    'Bodies are `application/json` in UTF-8. The server rejects repeated keys.',
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

/** The words for HEAD and OPTIONS. */
export const sharedMethods = {
  tag: 'HEAD and OPTIONS',
  description: 'HEAD is GET without the body. OPTIONS describes operations, parameters and limits.',
  options: 'Describe the path',
  head: (kind: OperationKind, collection: Collection): string =>
    sentence(`${operationSummary(kind, collection)}, without the body`),
} as const

/** Returns the path segment of an operation's target after its collection. */
export function segmentOf(kind: OperationKind): string {
  return segmentOfTarget(operations[kind].target).replace(':id', '{id}')
}
