import type { CallerRequest } from './exchange.ts'
import {
  type Asked,
  filterPairs,
  freshly,
  type Pairs,
  partsOf,
  plainly,
  type Question,
  type QuestionFacts,
  queryText,
} from './question.ts'
import {
  type BodyDraft,
  keyFor,
  markFor,
  type ProvenCollection,
  pathOfCollection,
  pathOfItem,
  steadyAbsentLike,
  type TreeItem,
} from './tree.ts'

/** Asks about the other caller's items at a path, by id. */
export function foreignItemQuestions(target: Asked, facts: QuestionFacts): readonly Question[] {
  const { collection } = target
  return facts.foreign
    .of(collection)
    .slice(0, 1)
    .flatMap(({ id, sent, tag }) => {
      const path = `${target.path}/${encodeURIComponent(id)}`
      const [mine] = facts.ownTree.of(collection)
      const tags = ['*', tag ?? '"1"', mine?.tag ?? '"2"']
      const requests = [
        ...itemRequests(path, { ...sent, id }, { tags, ...collection }),
        ...otherReads(path, target.path, id),
      ]
      const nobody = ['GET', 'DELETE'].map(
        (method): Question => ({ ...plainly(target, { method, path }), caller: 'nobody' }),
      )
      return [...requests.map((request) => plainly(target, request)), ...nobody]
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
  { tags, putCreates }: Pick<ProvenCollection, 'putCreates'> & { readonly tags: readonly string[] },
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
      // It would create the item where no other has the id. The tag "*" asks without that.
      ...(method === 'PUT' && putCreates
        ? []
        : [{ method, path, body: method === 'PUT' ? body : patch }]),
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
export function bulkQuestions(target: Asked, { foreign, ownTree }: QuestionFacts): Question[] {
  const { collection, path } = target
  const [theirs] = foreign.of(collection)
  const draft = ownTree.draftOf(collection)
  if (theirs === undefined || draft === undefined) return []
  const full = ownTree.fill(draft, collection, 'bulk')
  const [mine = theirs] = ownTree.of(collection)
  // A response may repeat the id, so it is the same whenever the proof asks.
  const absent = steadyAbsentLike(mine.id)
  return ['PUT', 'PATCH'].flatMap((method) => {
    const entry = (id: string | number): BodyDraft => ({ ...full, id })
    const ask = (suffix: string, ids: (fresh: string | number) => (string | number)[]): Question =>
      freshly(target, ({ id }) => ({ method, path: path + suffix, body: ids(id).map(entry) }))
    return [
      ask('', (id) => [id, theirs.id]),
      ask('', (id) => [theirs.id, id]),
      ask('', () => [theirs.id, absent]),
      ask('?dry_run=true', (id) => [id, theirs.id]),
      freshly(target, ({ id }) => ({
        method,
        path,
        body: [entry(id), { ...wrong, id: theirs.id }],
      })),
    ]
  })
}

/** Asks with deletions of what matches. Another server could delete more than that. */
export function selectionQuestions(target: Asked, facts: QuestionFacts): readonly Question[] {
  const { collection, path } = target
  const [theirs] = facts.foreign.of(collection)
  if (!collection.selects || theirs === undefined) return []
  const remove = (pairs: Pairs, most: number): CallerRequest => ({
    method: 'DELETE',
    path: path + queryText(pairs),
    headers: { prefer: `max-affected=${most}` },
  })
  const id: Pairs = [['id', theirs.id]]
  const queries = [...filterPairs(target, facts), [['q', facts.mark] as const], id]
  return [
    ...queries.map((pairs) => remove([...pairs, ['dry_run', true]], 1000)),
    remove([...id, ['dry_run', true]], 0),
    remove(id, 1),
  ]
    .map((request) => plainly(target, request))
    .concat(freshly(target, (fresh) => remove([...id, ['id', fresh.id]], 1)))
}

/** Asks below the other caller's parents, at every depth. */
export function parentQuestions(
  collection: ProvenCollection,
  facts: QuestionFacts,
): readonly Question[] {
  const { ownTree, foreign } = facts
  const [mine, theirs] = [ownTree.parentsOf(collection), foreign.parentsOf(collection)]
  if (mine === undefined || theirs === undefined) return []
  const draft = ownTree.draftOf(collection)
  const body = draft === undefined ? {} : ownTree.fill(draft, collection, 'below')
  const paths = mine.map((_, depth) =>
    pathOfCollection(collection, mine.with(depth, theirs[depth] ?? '')),
  )
  const all = pathOfCollection(collection, theirs)
  return [...new Set([...paths, all])]
    .filter((path) => path !== pathOfCollection(collection, mine))
    .flatMap((path) => {
      const target = { collection, path }
      const ids = [...ownTree.of(collection).slice(0, 1), ...foreign.of(collection).slice(0, 1)]
      const item = ids.flatMap(({ id, sent }) =>
        itemRequests(
          `${path}/${encodeURIComponent(id)}`,
          { ...sent, id },
          {
            tags: ['*', '"1"'],
            ...collection,
          },
        ),
      )
      const queries = partsOf(target, facts).map(queryText)
      const [search = ''] = queries
      const reads = [...queries, `/count${search}`, `/first${search}`].map((query) => ({
        method: 'GET',
        path: path + query,
      }))
      const requests = [...belowRequests(path, body), ...reads, ...item]
      return requests.map((request) => plainly(target, request))
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
    ...['?q=a', `?id=${absent}`, '?dry_run=true&id:ne=x', '?'].flatMap((query) =>
      [0, 1000].map((most) => ({
        method: 'DELETE',
        path: path + query,
        headers: { prefer: `max-affected=${most}` },
      })),
    ),
    { method: 'DELETE', path },
  ]
}

const absent = 'nounful_no_such_id'

/** Asks with writes of the caller's own items that carry values of the other caller. */
export function writeQuestions(target: Asked, facts: QuestionFacts): readonly Question[] {
  const { collection, path } = target
  const draft = facts.ownTree.draftOf(collection)
  if (draft === undefined) return []
  const { ownTree, foreign, mark } = facts
  const key = keyFor(collection, facts.key)
  const mine = ownTree.fill(draft, collection, 'written')
  const theirs = ownTree.fill(draft, collection, `${markFor(collection, mark)}1`)
  const [change, marked] = [withoutId(mine), withoutId(theirs)]
  const [foreignItem] = foreign.of(collection)
  const post = (body: unknown, suffix = '', headers = {}): Question =>
    plainly(target, { method: 'POST', path: path + suffix, headers, body })
  const named = [
    ...Object.entries(facts.owners).filter(([field]) => collection.owners.includes(field)),
    ...referencesTo(target, facts),
  ]
  return [
    post(mine),
    post(mine, '?dry_run=true'),
    post({ nounful: [true] }),
    post([mine, ownTree.fill(draft, collection, 'second')]),
    post(mine, '', { 'idempotency-key': key }),
    post({ ...mine, nounful: [true] }, '', { 'idempotency-key': key }),
    post(theirs),
    post(theirs, '?dry_run=true'),
    ...['PUT', 'PATCH'].flatMap((method) => [
      changing(target, method, change),
      changing(target, method, marked),
      changing(target, method, marked, '?dry_run=true'),
    ]),
    freshly(target, (fresh) => ({ method: 'DELETE', path: pathOfItem(fresh) })),
    ...conditions(target, change, [ownTree.of(collection)[0]?.tag, foreignItem?.tag]),
    ...[
      ...named.flatMap(([field, value]) => naming(target, { ...mine, [field]: value }, field)),
      ...(foreignItem === undefined ? [] : naming(target, { ...mine, id: foreignItem.id }, 'id')),
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
  target: Asked,
  body: Readonly<Record<string, unknown>>,
  field: string,
): readonly Question[] {
  const { path } = target
  const posts = ['?dry_run=true', ''].map((suffix) =>
    plainly(target, { method: 'POST', path: path + suffix, body }),
  )
  const patch = { [field]: body[field] }
  const change = field === 'id' ? body : withoutId(body)
  return [
    ...posts,
    plainly(target, { method: 'POST', path, body: [body, body] }),
    // Faults beside the name: the order of the checks must not depend on it.
    plainly(target, { method: 'POST', path, body: spoiled(body, field) }),
    ...['?dry_run=true', ''].flatMap((suffix) => [
      changing(target, 'PUT', change, suffix),
      changing(target, 'PATCH', patch, suffix),
    ]),
    freshly(target, ({ id }) => ({ method: 'PUT', path, body: [{ id, ...change }] })),
    freshly(target, ({ id }) => ({ method: 'PATCH', path, body: [{ id, ...patch }] })),
  ]
}

// Replaces a value beside a field by one that no schema takes.
function spoiled(body: Readonly<Record<string, unknown>>, field: string) {
  const neighbourField = Object.keys(body).find((name) => name !== field) ?? 'nounful'
  return { ...body, [neighbourField]: [true] }
}

// Changes an own item if it has a tag: its own, that of another, that of another caller's item.
function conditions(
  target: Asked,
  mine: object,
  tags: readonly (string | undefined)[],
): readonly Question[] {
  const patch = (name: string, tag: string | undefined): Question =>
    freshly(target, (fresh) => ({
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
      freshly(target, (fresh) => ({
        method,
        path: pathOfItem(fresh),
        headers: { 'if-match': tags.at(-1) ?? '"3"' },
        ...(method === 'PUT' && { body: { id: fresh.id, ...mine } }),
      })),
    ),
  ]
}

function changing(
  target: Asked,
  ...[method, body, suffix = '']: readonly [string, object, string?]
): Question {
  return freshly(target, (fresh: TreeItem): CallerRequest => {
    const path = pathOfItem(fresh) + suffix
    const isWhole = method === 'PUT'
    return { method, path, body: isWhole ? { id: fresh.id, ...body } : body }
  })
}
