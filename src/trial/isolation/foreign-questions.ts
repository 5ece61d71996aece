import type { ProvenCollection } from './catalog.ts'
import type { BodyDraft } from './drafts.ts'
import type { CallerRequest } from './exchange.ts'
import { partsOf } from './parameter-questions.ts'
import {
  type Asked,
  freshly,
  plainly,
  type Question,
  type QuestionFacts,
  queryText,
} from './question.ts'
import { pathOfCollection, steadyAbsentLike } from './tree.ts'

/** Asks about the other caller's items at a path, by id. */
export function foreignItemQuestions(asked: Asked, facts: QuestionFacts): readonly Question[] {
  const { collection } = asked
  return facts.foreign
    .of(collection)
    .slice(0, 1)
    .flatMap(({ id, sent, tag }) => {
      const path = `${asked.path}/${encodeURIComponent(id)}`
      const [mine] = facts.own.of(collection)
      const tags = ['*', tag ?? '"1"', mine?.tag ?? '"2"']
      const requests = [
        ...itemRequests(path, { ...sent, id }, tags),
        ...otherReads(path, asked.path, id),
      ]
      const nobody = ['GET', 'DELETE'].map(
        (method): Question => ({ ...plainly(asked, { method, path }), caller: 'nobody' }),
      )
      return [...requests.map((request) => plainly(asked, request)), ...nobody]
    })
}

const wrong = { nounful: [true] }

// The same item by other spellings and headers.
function otherReads(
  path: string,
  collection: string,
  id: string | number,
): readonly CallerRequest[] {
  const code = `${id}`.charCodeAt(0).toString(16).padStart(2, '0')
  const spelled = `${collection}/%${code}${encodeURIComponent(`${id}`.slice(1))}`
  return [
    { method: 'GET', path: `${path}/` },
    { method: 'GET', path: spelled },
    { method: 'GET', path, headers: { accept: 'text/html' } },
    { method: 'GET', path, headers: { range: 'bytes=0-0' } },
    { method: 'DELETE', path: `${path}?dry_run=true` },
  ]
}

function itemRequests(
  path: string,
  body: BodyDraft,
  tags: readonly string[],
): readonly CallerRequest[] {
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
export function bulkQuestions(asked: Asked, { foreign, own }: QuestionFacts): Question[] {
  const { collection, path } = asked
  const [theirs] = foreign.of(collection)
  const draft = own.draftOf(collection)
  if (theirs === undefined || draft === undefined) return []
  const full = own.fill(draft, collection, 'bulk')
  const [mine = theirs] = own.of(collection)
  // A response may repeat the id, so it is the same whenever the proof asks.
  const absent = steadyAbsentLike(mine.id)
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
  facts: QuestionFacts,
): readonly Question[] {
  const { own, foreign } = facts
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
        itemRequests(`${path}/${encodeURIComponent(id)}`, { ...sent, id }, ['*', '"1"']),
      )
      const queries = partsOf(asked, facts).map(queryText)
      const [search = ''] = queries
      const reads = [...queries, `/count${search}`, `/first${search}`].map((query) => ({
        method: 'GET',
        path: path + query,
      }))
      const requests = [...belowRequests(path, body), ...reads, ...item]
      return requests.map((request) => plainly(asked, request))
    })
}

function belowRequests(path: string, body: BodyDraft): readonly CallerRequest[] {
  const words = ['', '/', '/count', '/first', '/last', '?offset=1', '?q=a']
  return [
    ...words.map((word) => ({ method: 'GET', path: path + word })),
    { method: 'GET', path, headers: { prefer: 'count=exact' } },
    ...['HEAD', 'OPTIONS'].map((method) => ({ method, path })),
    { method: 'HEAD', path: `${path}/count` },
    { method: 'GET', path, headers: { accept: 'text/html' } },
    { method: 'POST', path, body: wrong },
    { method: 'POST', path: `${path}?dry_run=true`, body },
    { method: 'POST', path, body },
    { method: 'POST', path, body: [body, body] },
    ...['PUT', 'PATCH'].map((method) => ({ method, path, body: [{ ...body, id: absent }] })),
    { method: 'DELETE', path, headers: { prefer: 'max-affected=0' } },
    { method: 'DELETE', path, headers: { prefer: 'max-affected=1000' } },
    { method: 'DELETE', path },
  ]
}

const absent = 'nounful_no_such_id'
