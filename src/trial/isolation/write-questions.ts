import type { CallerRequest } from './exchange.ts'
import {
  type Asked,
  freshly,
  keyFor,
  plainly,
  type Question,
  type QuestionFacts,
} from './question.ts'
import { markFor, pathOfItem, type TreeItem } from './tree.ts'

/** Asks with writes of the caller's own items that carry values of the other caller. */
export function writeQuestions(asked: Asked, facts: QuestionFacts): readonly Question[] {
  const { collection, path } = asked
  const draft = facts.own.draftOf(collection)
  if (draft === undefined) return []
  const { own, foreign, mark } = facts
  const key = keyFor(collection, facts.key)
  const mine = own.fill(draft, collection, 'written')
  const theirs = own.fill(draft, collection, `${markFor(collection, mark)}1`)
  const [change, marked] = [withoutId(mine), withoutId(theirs)]
  const [other] = foreign.of(collection)
  const post = (body: unknown, suffix = '', headers = {}): Question =>
    plainly(asked, { method: 'POST', path: path + suffix, headers, body })
  const named = [
    ...Object.entries(facts.owners).filter(([field]) => collection.owners.includes(field)),
    ...referencesTo(asked, facts),
  ]
  return [
    post(mine),
    post(mine, '?dry_run=true'),
    post({ nounful: [true] }),
    post([mine, own.fill(draft, collection, 'second')]),
    post(mine, '', { 'idempotency-key': key }),
    post({ ...mine, nounful: [true] }, '', { 'idempotency-key': key }),
    post(theirs),
    post(theirs, '?dry_run=true'),
    ...['PUT', 'PATCH'].flatMap((method) => [
      changing(asked, method, change),
      changing(asked, method, marked),
      changing(asked, method, marked, '?dry_run=true'),
    ]),
    freshly(asked, (fresh) => ({ method: 'DELETE', path: pathOfItem(fresh) })),
    ...conditions(asked, change, [own.of(collection)[0]?.tag, other?.tag]),
    ...[
      ...named.flatMap(([field, value]) => naming(asked, { ...mine, [field]: value }, field)),
      ...(other === undefined ? [] : naming(asked, { ...mine, id: other.id }, 'id')),
    ].map((question) => ({ ...question, isNaming: true })),
  ]
}

function referencesTo(
  { collection }: Asked,
  { foreign }: QuestionFacts,
): readonly (readonly [string, unknown])[] {
  return collection.references.flatMap(({ field, to }) =>
    foreign
      .ofResource(to)
      .slice(-1)
      .map(({ id }) => [field, id] as const),
  )
}

// A new item may choose its id, which no change of another item names.
function withoutId({ id: _, ...body }: Readonly<Record<string, unknown>>) {
  return body
}

// A body that names the other caller, or an item of the other caller.
function naming(
  asked: Asked,
  body: Readonly<Record<string, unknown>>,
  field: string,
): readonly Question[] {
  const { path } = asked
  const posts = ['?dry_run=true', ''].map((suffix) =>
    plainly(asked, { method: 'POST', path: path + suffix, body }),
  )
  const patch = { [field]: body[field] }
  const change = field === 'id' ? body : withoutId(body)
  return [
    ...posts,
    plainly(asked, { method: 'POST', path, body: [body, body] }),
    // Faults beside the name: the order of the checks must not depend on it.
    plainly(asked, { method: 'POST', path, body: spoiled(body, field) }),
    ...['?dry_run=true', ''].flatMap((suffix) => [
      changing(asked, 'PUT', change, suffix),
      changing(asked, 'PATCH', patch, suffix),
    ]),
    freshly(asked, ({ id }) => ({ method: 'PUT', path, body: [{ id, ...change }] })),
    freshly(asked, ({ id }) => ({ method: 'PATCH', path, body: [{ id, ...patch }] })),
  ]
}

// Replaces a value beside a field by one that no schema takes.
function spoiled(body: Readonly<Record<string, unknown>>, field: string) {
  const other = Object.keys(body).find((name) => name !== field) ?? 'nounful'
  return { ...body, [other]: [true] }
}

// Changes an own item if it has a tag: its own, that of another, that of another caller's item.
function conditions(
  asked: Asked,
  mine: object,
  tags: readonly (string | undefined)[],
): readonly Question[] {
  const patch = (name: string, tag: string | undefined): Question =>
    freshly(asked, (fresh) => ({
      method: 'PATCH',
      path: pathOfItem(fresh),
      headers: { [name]: tag ?? fresh.tag ?? '*' },
      body: mine,
    }))
  return [
    patch('if-match', undefined),
    patch('if-none-match', undefined),
    ...tags.map((tag) => patch('if-match', tag ?? '"1"')),
    ...['PUT', 'DELETE'].map((method) =>
      freshly(asked, (fresh) => ({
        method,
        path: pathOfItem(fresh),
        headers: { 'if-match': tags.at(-1) ?? '"3"' },
        ...(method === 'PUT' && { body: { id: fresh.id, ...mine } }),
      })),
    ),
  ]
}

function changing(
  asked: Asked,
  ...[method, body, suffix = '']: readonly [string, object, string?]
): Question {
  return freshly(asked, (fresh: TreeItem): CallerRequest => {
    const path = pathOfItem(fresh) + suffix
    const isWhole = method === 'PUT'
    return { method, path, body: isWhole ? { id: fresh.id, ...body } : body }
  })
}
