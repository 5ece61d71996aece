import {
  defaultLimits,
  type Limits,
  operationKinds,
  operations,
  problems,
  statuses,
} from '../../src/model/convention.ts'
import { defaults } from '../../src/node/options.ts'

const limitWords: Record<keyof Limits, string> = {
  target: 'bytes of a request target, path and query together',
  nesting: 'parents that a path may have',
  body: 'bytes of a request body',
  depth: 'levels of arrays and objects in a JSON body',
  keys: 'different keys in a JSON body',
  values: 'fields, elements, objects and arrays in a JSON body',
  bulk: 'items of one bulk update',
  issues: 'issues named in one problem',
  problem: 'bytes of a problem document',
  time: 'milliseconds that context, middleware and adapter may take together',
  arrival: 'milliseconds in which a body has to arrive',
}
const serverWords: Record<Exclude<keyof typeof defaults, 'port'>, string> = {
  headersTimeout:
    'milliseconds for the head of a request; then 400 `request_timeout`, or a silent close if the client sent nothing',
  requestTimeout: 'milliseconds for the whole request',
  keepAliveTimeout: 'milliseconds for an idle connection; set it above that of a proxy in front',
  writeTimeout:
    'milliseconds for the client to take the next 64 KiB of a response; then the server cuts the connection and closes the list',
  closeTimeout: 'milliseconds that `close` waits for running requests',
  maxHeaderSize: 'bytes of a head; more is 400 `headers_too_large`',
  maxConnections: 'connections; the server closes further ones at once',
  maxRequestsPerSocket: 'requests of one connection; the last response announces the close',
}
const takes = { nothing: '', item: 'an item', items: 'items' }
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
      const taken = takes[row.takes] || row.parameters.map((name) => `\`${name}\``).join(' ')
      const request = `\`${row.method} /v1/employees${paths[row.target]}\``
      return `| \`${kind}\` | ${request} |${taken ? ` ${taken} ` : ' '}| ${row.status}, ${gives[row.gives]} |`
    }),
  ].join('\n'),
  problems: [
    '| status | codes |',
    '|---|---|',
    ...statuses
      .filter((status) => status >= 400)
      .map((status) => {
        const codes = Object.entries(problems).filter(([, row]) => row.status === status)
        return `| ${status} | ${codes.map(([code]) => `\`${code}\``).join(' ')} |`
      }),
  ].join('\n'),
  limits: [
    '| limit | default | |',
    '|---|---|---|',
    ...Object.entries(limitWords).map(
      ([name, words]) =>
        `| \`${name}\` | ${defaultLimits[name as keyof Limits].toLocaleString('en')} | ${words} |`,
    ),
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
