import { type Collection, lastNounOf, segmentOfTarget } from '../contract/resource/api.ts'
import { ownerFieldsOf } from '../contract/resource/resource.ts'
import { bodyOf, isConditional } from '../convention/kinds.ts'
import { maxIdLength } from '../convention/limits.ts'
import { type OperationKind, operations } from '../convention/operations.ts'
import { capitalize, joinWords, pluralOf, reservedText, singularOf, withArticle } from './names.ts'
import type { OpenApiOptions } from './options.ts'
import { creatingKindIn, type OperationAt, type Service } from './source.ts'

/** `v1.companies.employees.list`: as in the client. Adding resources never changes it. */
export function operationIdOf(kind: OperationKind, collection: Collection): string {
  const { version, ancestors } = collection
  return [version, ...[...ancestors, collection].map(lastNounOf), kind].join('.')
}

/** Summarizes an operation: `Read the first employee of a company`. */
export function operationSummary(kind: OperationKind, collection: Collection): string {
  const { name } = collection.resource
  const owner = collection.ancestors.at(-1)
  const ownerText = owner === undefined ? '' : ` of ${withArticle(owner.resource.name)}`
  return `${verbOf(kind, collection)} ${objectOf(kind, name)}${ownerText}`
}

const verbs: { readonly [method: string]: string } = { PUT: 'Replace', PATCH: 'Change' }

function verbOf(kind: OperationKind, collection: Collection): string {
  if (creatingKindIn({ kind, collection }) !== undefined) return 'Replace or create'
  const verb = verbs[operations[kind].method]
  if (verb !== undefined) return verb
  return isFirstOrLast(kind) ? 'Read' : capitalize(kind.replace(/[A-Z].*/, ''))
}

function objectOf(kind: OperationKind, noun: string): string {
  const { target, gives, selects } = operations[kind]
  if (gives === 'deleted') return `${selects ? 'matching' : 'all'} ${pluralOf(noun)}`
  if (bodyOf(kind)?.isMany) return `some ${pluralOf(noun)}`
  if (gives !== 'item') return pluralOf(noun)
  return isFirstOrLast(kind) ? `the ${target} ${singularOf(noun)}` : withArticle(noun)
}

// The first or the last item of a list.
function isFirstOrLast(kind: OperationKind): boolean {
  const { target, gives } = operations[kind]
  return gives === 'item' && target !== 'collection' && target !== 'item'
}

interface WordKit {
  readonly service: Pick<Service, 'isBound'>
  readonly options: Pick<OpenApiOptions, 'arrays'>
}

/** Describes an operation in a few sentences; empty when its summary says it all. */
export function operationDescription(operation: OperationAt, kit: WordKit): string {
  const { kind, collection, sends } = operation
  const { method, target, status, gives, safe } = operations[kind]
  const lengthWords =
    collection.resource.defaultLimit === undefined ? ': all items without `limit`' : ''
  const allItems = collection.ancestors.length > 0 ? 'all items under this parent' : 'all items'
  if (sends === 'many') return effectsOnMany[method] ?? ''
  if (gives === 'items') return `Returns an array${lengthWords}. \`Link\` leads to the next page.`
  if (gives === 'deleted') return deletionWords(operation, allItems)
  if (gives === 'count') return 'Counts the matching items.'
  if (target === 'first') return 'Returns the first matching item in the order of `sort`.'
  if (target === 'last') return 'Returns the last matching item: the first in exact reverse order.'
  if (status === 201) return [locationText, sends === 'any' ? arrayWords(kit) : ''].join('').trim()
  if (safe) return 'Ignores conditions and ranges: the response is always whole.'
  return effectOf(kind, collection)
}

function deletionWords({ kind, parameters }: OperationAt, allItems: string): string {
  const all = `Deletes ${allItems}. The server rejects a query or a body, which could mean fewer.`
  if (parameters.length === 0) return all
  const isSelecting = operations[kind].selects
  const matching = isSelecting
    ? 'Deletes the matching items. It needs a filter or `q`, and `Prefer: max-affected`.'
    : `Deletes ${allItems}; with a filter or \`q\`, the matching items. ` +
      'Then it needs `Prefer: max-affected`.'
  return `${matching} If more match, the server deletes none. It rejects a body.`
}

const locationText = '`Location` is the path of the new item. '

function arrayWords({ service, options }: WordKit): string {
  const words =
    'An array creates all its items or none, without `Location`.' +
    (options.arrays === 'union' ? '' : ' `x-nounful-many` describes it.')
  return service.isBound ? words : `${words} The server answers 422 if its storage takes no array.`
}

const mergeRules =
  '`null` removes a field, or is its value where the schema takes null. ' +
  'An array replaces the stored one. A patch that changes nothing keeps the `ETag`. '

const effectsOnMany: { readonly [method: string]: string } = {
  PUT: 'Replaces the items in the body, all or none. Send each item whole, with its id.',
  PATCH:
    'Changes the items in the body, all or none. ' +
    `Send a merge patch (RFC 7396) of each item, with its id. ${mergeRules}`.trim(),
}

const creatingEffect =
  'Replaces the item, or creates it if it does not exist: 201. ' +
  '`If-Match` only replaces it, `If-None-Match: *` only creates it. '

const effects: { readonly [method: string]: string } = {
  PUT: 'Replaces the item. It must exist. ',
  PATCH: `Merges the body into the item (RFC 7396). ${mergeRules}`,
  DELETE: 'Returns the deleted item. ',
}

function effectOf(kind: OperationKind, collection: Collection): string {
  const { revision } = collection.resource
  const isCreating = creatingKindIn({ kind, collection }) !== undefined
  const effect = isCreating ? creatingEffect : (effects[operations[kind].method] ?? '')
  const comparedValues = bodyOf(kind) ? '`If-Match` and a revision in the body' : '`If-Match`'
  const isCompared = revision !== undefined && isConditional(kind, 'revision')
  const comparison = isCompared
    ? `The server compares ${comparedValues} with the stored revision.`
    : ''
  return `${effect}${comparison}`.trim()
}

/** Describes a noun: its paths, sortable and searchable fields, and references. */
export function tagDescription(collections: readonly Collection[]): string {
  const paths = [...new Set(collections.map(templateOf))].map((template) => `\`${template}\``)
  const resources = [...new Set(collections.map(({ resource }) => resource))]
  const [onlyResource] = resources.length === 1 ? resources : []
  return [`At ${joinWords(paths)}.`, onlyResource === undefined ? '' : queryWords(onlyResource)]
    .join(' ')
    .trim()
}

function queryWords(resource: Collection['resource']): string {
  const { sortable, searchable, filterable, references, ownedBy } = resource
  const owners = ownerFieldsOf(resource)
  const sentences = [
    sortable.length > 0 ? `Sortable by ${joinWords(sortable)}.` : '',
    filterable.length > 0 ? `Filterable by ${joinWords(filterable.map(({ name }) => name))}.` : '',
    searchable.length > 0 ? `\`q\` searches ${joinWords(searchable)}.` : '',
    owners.length > 0 ? `A caller reaches the items with its own ${joinWords(owners)}.` : '',
    ownedBy === 'parent' ? 'An item belongs to the owner of its parent.' : '',
    ...references.map(({ field, to }) => `\`${field}\` is the id of ${withArticle(to)}.`),
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

/** Returns the path template of a collection: `/v1/companies/{company_id}/employees`. */
export function templateOf({ version, path }: Collection): string {
  return `/${version}${path.replaceAll(/:([^/]+)/g, '{$1}')}`
}

/** Describes the service, followed by the rules for every path. */
export function infoDescription({ info, methods }: OpenApiOptions, service: Service): string {
  const versions = [...service.api.versions.keys()]
  const headRule = 'HEAD is GET without the body. OPTIONS describes a path, in `Allow` and as JSON.'
  const rules = [
    defaultVersionWords(service),
    'The server ignores one slash at the end of a path, but rejects it in PUT, PATCH and DELETE.',
    methods === 'all' ? '' : headRule,
    'An unsupported method is 405 with `Allow`.',
    'An unknown path is 404, with the code `unknown_resource` or `unknown_version`.',
    retirementWords(service),
    `Ids have 1 to ${maxIdLength} characters. ${reservedText} are never ids.`,
    'The server rejects unknown parameters. A client may repeat only those that are lists.',
    'Bodies are JSON in UTF-8, of a media type that the operation lists. ' +
      'The server rejects repeated keys.',
  ]
  const ruleList = rules.filter((rule) => rule !== '').map((rule) => `- ${rule}`)
  const introduction = info.description === undefined ? [] : [info.description.trim()]
  const title = versions.length > 1 ? 'For every path of every version:' : 'For every path:'
  return [...introduction, title, ruleList.join('\n')].join('\n\n')
}

function retirementWords({ api }: Service): string {
  const endedVersions = joinWords([...api.retired.keys()].map((version) => `\`/${version}\``))
  return endedVersions === ''
    ? ''
    : `A path of ${endedVersions} has ended: 404, with the code \`retired_version\`.`
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
    capitalize(`${operationSummary(kind, collection)}, without the body`),
} as const

/** Returns the path segment of an operation's target after its collection. */
export function segmentOf(kind: OperationKind): string {
  return segmentOfTarget(operations[kind].target).replace(':id', '{id}')
}
