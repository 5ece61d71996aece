import { itemPath } from '../../wire/path.ts'
import {
  broken,
  expectIds,
  expectItem,
  expectItems,
  expectProblem,
  expectSame,
  expectStatus,
  idsOf,
  unfit,
} from '../expect.ts'
import type { Rule } from '../rule.ts'
import { type Subject, someItem, textsIn } from '../subject.ts'
import { nothing } from './list.ts'

/** How paths are read. */
export const pathRules: readonly Rule[] = [
  {
    id: 'trailing-slash',
    words: 'One trailing slash names the same resource, without a redirect.',
    needs: ['items'],
    async run({ ask, path, items }) {
      const expected = expectItems(await ask('GET', path))
      const list = await ask('GET', `${path}/`)
      expectIds(list, expectItems(list), idsOf(expected))
      const [one] = items
      if (one === undefined) return
      const exchange = await ask('GET', `${itemPath(path, one.id)}/`)
      expectItem(exchange)
      expectStatus(await ask('GET', `${path}/count/`), 200)
    },
  },
  {
    id: 'empty-segment',
    words: 'An empty segment within a path is 404.',
    needs: ['items', 'some'],
    async run(subject) {
      const { ask, path } = subject
      const at = path.lastIndexOf('/')
      const one = encodeURIComponent(String(someItem(subject).id))
      for (const place of [
        `${path.slice(0, at)}/${path.slice(at)}`,
        `${path}//${one}`,
        `${path}//`,
      ])
        expectStatus(await ask('GET', place), 404)
    },
  },
  {
    id: 'percent-faults',
    words: 'A broken escape, octets that are not UTF-8, and NUL in a path are 400.',
    needs: ['items'],
    async run({ ask, path }) {
      for (const segment of ['%zz', '%', '%ff', '%C0%AF', '%00'])
        expectProblem(await ask('GET', `${path}/${segment}`), 'bad_percent_encoding')
      expectProblem(await ask('GET', `${path}?limit=%zz`), 'bad_percent_encoding')
    },
  },
  {
    id: 'dots',
    words: 'The segments "." and ".." are 400, however they are written, and never resolved.',
    needs: ['items'],
    async run({ ask, path }) {
      const noun = path.slice(path.lastIndexOf('/'))
      for (const rest of ['/.', '/..', '/%2e%2e', '/%2E', `/..${noun}`])
        expectProblem(await ask('GET', path + rest), 'bad_path')
    },
  },
  {
    id: 'decoded-once',
    words:
      'Segments are decoded once: an id may be written with escapes, and "%2566irst" is not "first".',
    needs: ['items', 'some'],
    async run(subject) {
      const { ask, path } = subject
      const item = someItem(subject)
      const bytes = [...Buffer.from(String(item.id))].map(
        (byte) => `%${byte.toString(16).padStart(2, '0')}`,
      )
      const exchange = await ask('GET', `${path}/${bytes.join('')}`)
      expectItem(exchange)
      expectSame(exchange, item, 'the item of that id')
      expectStatus(await ask('GET', `${path}/%2566irst`), 404)
    },
  },
  {
    id: 'reserved-words',
    words: '"first", "last" and "count" are the same words when they are written with escapes.',
    needs: ['items', 'some'],
    async run({ ask, path }) {
      for (const [plain, escaped] of [
        ['first', '%66irst'],
        ['count', 'c%6Funt'],
      ] as const) {
        const expected = await ask('GET', `${path}/${plain}`)
        if (expected.answer.status !== 200) unfit(`"${plain}" is not answered.`)
        const exchange = await ask('GET', `${path}/${escaped}`)
        expectStatus(exchange, expected.answer.status)
        expectSame(exchange, expected.answer.json, `that of "${plain}"`)
      }
    },
  },
  {
    id: 'case-sensitive',
    words: 'Paths are case-sensitive.',
    needs: ['items', 'some'],
    async run({ ask, path }) {
      const at = path.lastIndexOf('/')
      expectStatus(await ask('GET', path.slice(0, at) + path.slice(at).toUpperCase()), 404)
      expectStatus(await ask('GET', `${path}/FIRST`), 404)
    },
  },
  {
    id: 'unknown-resource',
    words: 'A noun that there is not is 404.',
    needs: ['items'],
    async run(subject) {
      const { ask, path } = subject
      expectProblem(
        await ask('GET', path.slice(0, path.lastIndexOf('/') + 1) + nothing),
        'unknown_resource',
      )
      const deeper = `${itemPath(path, subject.items[0]?.id ?? nothing)}/${nothing}`
      expectProblem(await ask('GET', deeper), 'unknown_resource', 'not_found', 'parent_not_found')
    },
  },
  {
    id: 'unknown-version',
    words: 'A version that there is not is 404, with the supported ones.',
    needs: ['items', 'version'],
    async run(subject) {
      const exchange = await askVersion(subject, 'v999')
      expectProblem(exchange, 'unknown_version')
      if (textsIn(exchange.answer.json, 'supported') === undefined)
        broken(exchange, 'The problem has no list "supported".')
    },
  },
  {
    id: 'version-exact',
    words: 'A version is written in one way: lower case, no leading zero.',
    needs: ['items', 'version'],
    async run(subject) {
      const version = subject.place.version ?? ''
      for (const other of [version.toUpperCase(), version.replace('v', 'v0'), `${version}.0`])
        expectStatus(await askVersion(subject, other), 404)
    },
  },
  {
    id: 'unversioned',
    words: 'A path without a version is served like that of one version, or is 404.',
    needs: ['items', 'version'],
    async run(subject) {
      const { prefix, rest } = subject.place
      const exchange = await subject.ask('GET', prefix + rest)
      if (exchange.answer.status === 404) return
      expectItems(exchange)
    },
  },
]

function askVersion({ ask, place }: Subject, version: string): ReturnType<typeof ask> {
  return ask('GET', `${place.prefix}/${version}${place.rest}`)
}
