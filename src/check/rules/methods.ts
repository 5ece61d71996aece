import { operations, type TargetKind } from '../../model/convention.ts'
import { itemPath } from '../../wire/path.ts'
import { broken, expectItems, expectProblem, expectStatus, isFound, unfit } from '../expect.ts'
import type { Rule } from '../rule.ts'
import type { Exchange } from '../sent.ts'
import { type Subject, someItem } from '../subject.ts'
import { nothing } from './list.ts'

// Known to HTTP, read-only wherever they are known, and none of the convention's.
const others = ['PROPFIND', 'SEARCH', 'REPORT'] as const

/** Which methods there are, and what goes for every answer to them. */
export const methodRules: readonly Rule[] = [
  {
    id: 'method-not-allowed',
    words: 'A method that the target does not take is 405.',
    needs: ['items'],
    async run(subject) {
      // An absent item comes first: the check asks a server no further that does not refuse there.
      for (const path of [absentIn(subject), ...targetsOf(subject).map(([, path]) => path)]) {
        for (const method of others.slice(0, 2))
          expectProblem(await subject.ask(method, path), 'method_not_allowed')
      }
    },
  },
  {
    id: 'allow',
    words: '405 has "Allow": the methods that the target takes, with OPTIONS.',
    needs: ['items'],
    async run(subject) {
      if (!(await refuses(subject, others[2]))) unfit('Nothing is answered 405.')
      for (const [kind, path] of targetsOf(subject)) {
        const exchange = await subject.ask(others[2], path)
        if (exchange.answer.status === 405) checkAllow(exchange, kind)
      }
    },
  },
  {
    id: 'options',
    words: 'OPTIONS is 200 on every target, with the same "Allow".',
    needs: ['items'],
    async run(subject) {
      const isRefused = await refuses(subject, others[0])
      for (const [kind, path] of targetsOf(subject)) {
        const exchange = await subject.ask('OPTIONS', path)
        expectStatus(exchange, 200)
        checkAllow(exchange, kind)
        const refusal = isRefused ? await subject.ask(others[0], path) : undefined
        const allow = refusal?.answer.headers.allow
        if (
          allow !== undefined &&
          sortedList(allow) !== sortedList(exchange.answer.headers.allow ?? '')
        )
          broken(exchange, `"Allow" is not that of 405, "${allow}".`)
      }
    },
  },
  {
    id: 'get-body',
    words: 'A body that belongs to no GET is 400.',
    needs: ['items'],
    async run(subject) {
      for (const [, path] of targetsOf(subject))
        expectProblem(await subject.ask('GET', path, { body: { a: 1 } }), 'body_not_allowed')
    },
  },
  {
    id: 'accept-ignored',
    words: '"Accept" is never a reason to refuse.',
    needs: ['items'],
    async run({ ask, path }) {
      for (const accept of [
        'application/xml',
        'image/png;q=0.5',
        'application/json;q=0',
        'nonsense',
      ])
        expectItems(await ask('GET', path, { headers: { accept } }))
    },
  },
  {
    id: 'conditions-ignored',
    words: 'Conditions on GET are ignored: the answer is a full 200.',
    needs: ['items', 'some'],
    async run(subject) {
      const { ask, path } = subject
      const one = itemPath(path, someItem(subject).id)
      const { etag } = (await ask('GET', one)).answer.headers
      const tomorrow = new Date(Date.now() + 86_400_000).toUTCString()
      const conditions = [
        { 'if-none-match': '*' },
        { 'if-modified-since': tomorrow },
        { 'if-match': '"nounful"' },
        ...(etag === undefined ? [] : [{ 'if-none-match': etag }]),
      ]
      for (const headers of conditions) expectStatus(await ask('GET', one, { headers }), 200)
      const listTag = (await ask('GET', path)).answer.headers.etag
      if (listTag !== undefined)
        expectStatus(await ask('GET', path, { headers: { 'if-none-match': listTag } }), 200)
    },
  },
  {
    id: 'ranges-ignored',
    words: 'Ranges are ignored: the answer is a full 200.',
    needs: ['items', 'some'],
    async run(subject) {
      const { ask, path } = subject
      for (const place of [path, itemPath(path, someItem(subject).id)]) {
        for (const range of ['bytes=0-1', 'items=0-0'])
          expectStatus(await ask('GET', place, { headers: { range } }), 200)
      }
    },
  },
]

/** The targets of a collection, by kind, the collection last; of an empty one without an item. */
export function targetsOf({ path, items }: Subject): readonly (readonly [TargetKind, string])[] {
  const [item] = items
  return [
    ['count', `${path}/count`],
    ...(isFound(item) ? [['item', itemPath(path, item.id)] as const] : []),
    ['first', `${path}/first`],
    ['last', `${path}/last`],
    ['collection', path],
  ]
}

/** The path of an item that does not exist. */
export function absentIn({ path }: Subject): string {
  return itemPath(path, nothing)
}

// Whether a method is refused where nothing is, so that it may be sent to what is there.
async function refuses(subject: Subject, method: string): Promise<boolean> {
  return (await subject.ask(method, absentIn(subject))).answer.status === 405
}

// Holds an `Allow` against the methods that there are for a kind of target.
function checkAllow(exchange: Exchange, kind: TargetKind): void {
  const { allow } = exchange.answer.headers
  if (allow === undefined) broken(exchange, 'There is no "Allow".')
  const methods = listed(allow)
  const known = Object.values(operations).flatMap(({ method, target }) => {
    if (target !== kind) return []
    return method === 'GET' ? ['GET', 'HEAD'] : [method]
  })
  const wrong = methods.find((method) => method !== 'OPTIONS' && !known.includes(method))
  if (wrong !== undefined) broken(exchange, `"Allow" has ${wrong}, which means nothing here.`)
  if (!methods.includes('OPTIONS')) broken(exchange, '"Allow" is without OPTIONS.')
  if (methods.includes('GET') !== methods.includes('HEAD'))
    broken(exchange, '"Allow" has one of GET and HEAD without the other.')
}

function listed(allow: string): readonly string[] {
  return allow.split(',').map((method) => method.trim())
}

function sortedList(allow: string): string {
  return listed(allow).toSorted().join()
}
