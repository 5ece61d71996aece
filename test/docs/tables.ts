import {
  type FilterOperator,
  filterOperatorNames,
  filterOperators,
} from '../../src/convention/filter-operators.ts'
import { defaultLimits, type Limits } from '../../src/convention/limits.ts'
import {
  type BodyName,
  bodies,
  operationKinds,
  operations,
  type ProblemCode,
} from '../../src/convention/operations.ts'
import { problems } from '../../src/convention/problems.ts'
import { defaults } from '../../src/node/options.ts'
import { figuresOf } from './figures.ts'

const limitWords: Record<keyof Limits, string> = {
  target: 'bytes of a request target, path and query together',
  nesting: 'parents that a path may have',
  body: 'bytes of a request body',
  depth: 'levels of arrays and objects in a JSON body',
  keys: 'different keys in a JSON body',
  values: 'fields, elements, objects and arrays in a JSON body',
  bulk: 'items of one bulk',
  issues: 'issues named in one problem',
  problem: 'bytes of a problem document',
  time: 'milliseconds that context, middleware and adapter may take together',
  arrival: 'milliseconds in which a body has to arrive',
}
const serverWords: Record<Exclude<keyof typeof defaults, 'port'>, string> = {
  headersTimeout:
    'milliseconds for the head of a request; then 400 `request_timeout`, ' +
    'or a silent close if the client sent nothing',
  requestTimeout: 'milliseconds for the whole request',
  keepAliveTimeout: 'milliseconds for an idle connection; set it above that of a proxy in front',
  writeTimeout:
    'milliseconds for the client to take the next 64 KiB of a response; ' +
    'then the server cuts the connection and closes the list',
  closeTimeout: 'milliseconds that `close` waits for running requests',
  maxHeaderSize: 'bytes of a head; more is 400 `headers_too_large`',
  maxConnections: 'connections; the server closes further ones at once',
  maxRequestsPerSocket: 'requests of one connection; the last response announces the close',
}
const problemWords: Record<ProblemCode, string> = {
  bad_request: 'The request is no valid HTTP, or a header is malformed.',
  bad_path: 'The path holds `.` or `..`, or a write ends with a slash.',
  bad_percent_encoding: 'An escape is broken, is not UTF-8, or is NUL.',
  bad_host: 'The server does not accept this host name (option `hosts`).',
  uri_too_long: 'Path and query exceed `limits.target`, or leave no room for the next cursor.',
  headers_too_large: 'The head of the request exceeds the limit of the server.',
  request_timeout: 'The request did not arrive in time.',
  expectation_failed: 'The server knows no expectation but `100-continue`.',
  unknown_parameter: 'The target does not take this parameter. `allowed` lists its parameters.',
  repeated_parameter: 'The client sent this parameter twice, and it is no list.',
  bad_parameter:
    'The value of the parameter is out of bounds or malformed. ' +
    '`allowed` lists the values of an enumeration, or the fields.',
  sort_invalid: '`sort` has an empty field, or more than 8 fields.',
  sort_unknown_field: 'The resource cannot sort by this field. `allowed` lists the fields.',
  sort_duplicate_field: '`sort` names a field twice.',
  invalid_cursor: '`after` is no cursor of this list.',
  unsupported_media_type: 'The body is not declared as JSON in UTF-8, by a type of C5.4.',
  unsupported_encoding: 'The body is compressed, by no coding that the server takes.',
  body_missing: 'The operation needs a body.',
  body_not_allowed: 'The operation takes no body.',
  body_too_large: 'The body exceeds `limits.body`.',
  json_invalid: 'The body is not JSON.',
  json_too_deep: 'The body exceeds `limits.depth`.',
  json_duplicate_key: 'An object has a key twice.',
  json_forbidden_key: 'An object has the key `__proto__`.',
  bulk_too_large: 'The array has more items than `limits.bulk`.',
  idempotency_unsupported: 'This POST cannot take an `Idempotency-Key`.',
  unauthenticated: 'The server does not know the caller. `WWW-Authenticate` says how to sign in.',
  forbidden: 'The caller may not do this.',
  retired_version: 'The version has ended. `supported` lists the others, `Link` names a page.',
  unknown_version: 'The api has no such version. `supported` lists its versions.',
  unknown_resource: 'The path names no resource of this version.',
  parent_not_found: 'A parent in the path does not exist.',
  not_found: 'The item does not exist.',
  empty_collection: '`first` or `last` finds no item.',
  method_not_allowed: 'The target does not take this method. `Allow` lists its methods.',
  conflict: 'A value is taken, or another item still references this one.',
  id_mismatch: 'The id in the body is not the id in the path.',
  precondition_failed: 'The item has another revision than the client expects.',
  too_many_affected: 'More items would go than `max-affected` allows, or it is missing.',
  validation_failed: 'The body is not what the resource declares. `issues` names every fault.',
  reserved_id: 'No item may have this id.',
  idempotency_mismatch: 'Another body came with this `Idempotency-Key` before.',
  rate_limited: 'The client sends too many requests. Wait for `Retry-After`.',
  internal_error: 'The server failed. `onError` gets the cause.',
  unavailable: 'The service cannot respond now. Wait for `Retry-After`.',
}
const filterWords: Record<FilterOperator, string> = {
  eq: 'equals `v`. Repeated, `f=a&f=b`: equals one of the values',
  ne: 'is missing or differs from `v`. Repeated: differs from all values',
  null: 'is missing; with `false`: is not',
  gt: 'comes after `v`',
  gte: 'is `v` or comes after it',
  lt: 'comes before `v`',
  lte: 'is `v` or comes before it',
  contains: 'contains the text, ignoring case',
  startsWith: 'starts with the text, ignoring case',
  endsWith: 'ends with the text, ignoring case',
  has: 'is a list with `v`. Repeated: with one of the values',
}
const filterValues = { value: 'v', text: 'text', boolean: 'true', element: 'v' }
const takes: Record<BodyName, string> = {
  itemOrItems: 'an item, or items',
  item: 'an item',
  items: 'items',
  patch: 'a merge patch',
  patches: 'merge patches',
}
const gives = {
  item: 'the item',
  items: 'the items',
  count: '`{ "count": n }`',
  deleted: '`{ "deleted": n }`',
}
const paths = { collection: '', item: '/{id}', first: '/first', last: '/last', count: '/count' }

/** The tables that documents show, made from the tables the code runs on. */
export const tables: Record<string, string> = {
  operations: [
    '| operation | request | takes | answers |',
    '|---|---|---|---|',
    ...operationKinds.map((kind) => {
      const row = operations[kind]
      const names = row.parameters.map((name) => (name === 'where' ? 'filters' : `\`${name}\``))
      const body = row.takes === 'nothing' ? [] : [`${takes[row.takes]};`]
      const taken = [...body, ...names].join(' ')
      const request = `\`${row.method} /v1/employees${paths[row.target]}\``
      const more = row.takes !== 'nothing' && bodies[row.takes].orMany ? ', or the items' : ''
      const response = `${row.status}, ${gives[row.gives]}${more}`
      return `| \`${kind}\` | ${request} |${taken ? ` ${taken} ` : ' '}| ${response} |`
    }),
  ].join('\n'),
  filters: [
    '| filter | an item meets it if the field | the field is also |',
    '|---|---|---|',
    ...filterOperatorNames.map((operator) => {
      const { needs, takes } = filterOperators[operator]
      const name = operator === 'eq' ? 'f' : `f:${operator}`
      const own = takes === 'element' ? 'a list ' : ''
      const more = needs === 'filterable' ? own : `\`${needs}\` `
      return `| \`${name}=${filterValues[takes]}\` | ${filterWords[operator]} | ${more}|`
    }),
  ].join('\n'),
  codes: [
    '| code | status | |',
    '|---|---|---|',
    ...Object.entries(problems).map(
      ([code, { status }]) => `| \`${code}\` | ${status} | ${problemWords[code as ProblemCode]} |`,
    ),
  ].join('\n'),
  limits: [
    '| limit | default | |',
    '|---|---|---|',
    ...Object.entries(limitWords).map(
      ([name, words]) =>
        `| \`${name}\` | ${defaultLimits[name as keyof Limits].toLocaleString('en')} | ${words} |`,
    ),
  ].join('\n'),
  speed: [
    '| CPU, beside the server by hand | read | page of 20 items | create ' +
      '| `PUT` of 100 items | mean |',
    '|---|---|---|---|---|---|',
    ...['nounful', 'nounful, serve', 'fastify', 'polka', 'hono', 'h3', 'express'].map((name) => {
      const figures = figuresOf('Pipeline', name)
      const columns = ['read', 'list', 'create', 'PUT of 100', 'geometric mean']
      return `| ${name} | ${columns.map((column) => figures[column]).join(' | ')} |`
    }),
  ].join('\n'),
  server: [
    '| option | default | meaning |',
    '|---|---|---|',
    ...Object.entries(serverWords).map(([name, words]) => {
      const value = defaults[name as keyof typeof defaults]
      return `| \`${name}\` | ${value === 0 ? 'no limit' : value.toLocaleString('en')} | ${words} |`
    }),
  ].join('\n'),
}

/** The tables that a document shows, each between its marks. */
export function shownTables(markdown: string): [name: string, table: string][] {
  return [...markdown.matchAll(/<!-- (\w+) -->\n([\s\S]*?)\n<!-- \/\1 -->/g)].map(
    ([, name = '', table = '']) => [name, table],
  )
}
