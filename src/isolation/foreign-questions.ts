import type { ProvenCollection } from './catalog.ts'
import type { BodyDraft } from './drafts.ts'
import type { CallerRequest } from './exchange.ts'
import { type Asked, type Bearings, freshly, plainly, type Question } from './question.ts'
import { absentLike, pathOfCollection } from './tree.ts'

/** Asks about the other caller's items at a path, by id. */
export function foreignItemQuestions(asked: Asked, bearings: Bearings): readonly Question[] {
  const { collection } = asked
  return bearings.foreign
    .of(collection)
    .slice(0, 1)
    .flatMap(({ id, sent }) => {
      const path = `${asked.path}/${encodeURIComponent(id)}`
      return itemRequests(path, { ...sent, id }).map((request) => plainly(asked, request))
    })
}

const tags = ['*', '"1"']
const wrong = { nounful: [true] }

function itemRequests(path: string, body: BodyDraft): readonly CallerRequest[] {
  const [field] = Object.keys(body)
  const patch = field === undefined ? {} : { [field]: body[field] }
  return [
    ...['GET', 'HEAD', 'OPTIONS'].map((method) => ({ method, path })),
    { method: 'GET', path: `${path}?fields=id` },
    ...tags.map((tag) => ({ method: 'GET', path, headers: { 'if-none-match': tag } })),
    ...['PUT', 'PATCH'].flatMap((method) => [
      { method, path, body: wrong },
      { method, path, body: '{' },
      { method, path: `${path}?dry_run=true`, body: method === 'PUT' ? body : patch },
      { method, path, body: method === 'PUT' ? body : patch },
      ...tags.map((tag) => ({
        method,
        path,
        headers: { 'if-match': tag },
        body: method === 'PUT' ? body : patch,
      })),
    ]),
    ...tags.map((tag) => ({ method: 'DELETE', path, headers: { 'if-match': tag } })),
    { method: 'DELETE', path },
  ]
}

/** Asks with a bulk that names the other caller's items among the caller's own. */
export function bulkQuestions(asked: Asked, { foreign, own }: Bearings): Question[] {
  const { collection, path } = asked
  const [theirs] = foreign.of(collection)
  const draft = own.draftOf(collection)
  if (theirs === undefined || draft === undefined) return []
  const full = own.fill(draft, collection, 'bulk')
  const absent = absentLike(theirs.id)
  return ['PUT', 'PATCH'].flatMap((method) => {
    const entry = (id: string | number): BodyDraft => ({ ...full, id })
    const ask = (suffix: string, ids: (fresh: string | number) => (string | number)[]): Question =>
      freshly(asked, ({ id }) => ({ method, path: path + suffix, body: ids(id).map(entry) }))
    return [
      ask('', (id) => [id, theirs.id]),
      ask('', (id) => [theirs.id, id]),
      ask('', () => [theirs.id, absent]),
      ask('?dry_run=true', (id) => [id, theirs.id]),
      freshly(asked, ({ id }) => ({
        method,
        path,
        body: [entry(id), { ...wrong, id: theirs.id }],
      })),
    ]
  })
}

/** Asks below the other caller's parents, at every depth. */
export function parentQuestions(
  collection: ProvenCollection,
  { own, foreign }: Bearings,
): readonly Question[] {
  const [mine, theirs] = [own.parentsOf(collection), foreign.parentsOf(collection)]
  if (mine === undefined || theirs === undefined) return []
  const draft = own.draftOf(collection)
  const body = draft === undefined ? {} : own.fill(draft, collection, 'below')
  const paths = mine.map((_, depth) =>
    pathOfCollection(collection, mine.with(depth, theirs[depth] ?? '')),
  )
  const all = pathOfCollection(collection, theirs)
  return [...new Set([...paths, all])]
    .filter((path) => path !== pathOfCollection(collection, mine))
    .flatMap((path) => {
      const asked = { collection, path }
      const ids = [...own.of(collection).slice(0, 1), ...foreign.of(collection).slice(0, 1)]
      const item = ids.flatMap(({ id, sent }) =>
        itemRequests(`${path}/${encodeURIComponent(id)}`, { ...sent, id }),
      )
      return [...belowRequests(path, body), ...item].map((request) => plainly(asked, request))
    })
}

function belowRequests(path: string, body: BodyDraft): readonly CallerRequest[] {
  const words = ['', '/count', '/first', '/last', '?limit=1', '?offset=1', '?q=a']
  return [
    ...words.map((word) => ({ method: 'GET', path: path + word })),
    { method: 'GET', path, headers: { prefer: 'count=exact' } },
    ...['HEAD', 'OPTIONS'].map((method) => ({ method, path })),
    { method: 'POST', path, body: wrong },
    { method: 'POST', path: `${path}?dry_run=true`, body },
    { method: 'POST', path, body },
    { method: 'POST', path, body: [body, body] },
    ...['PUT', 'PATCH'].map((method) => ({ method, path, body: [{ ...body, id: absent }] })),
    { method: 'DELETE', path, headers: { prefer: 'max-affected=0' } },
    { method: 'DELETE', path, headers: { prefer: 'max-affected=1000' } },
  ]
}

const absent = 'nounful_no_such_id'
