import {
  type Asked,
  filterQuestions,
  groupQuestions,
  mixedQuestions,
  type Pairs,
  plainly,
  type Question,
  type QuestionFacts,
  queryText,
  sortQuestions,
} from './question.ts'

/** Asks everything that a caller can read of a collection of its own. */
export function readQuestions(target: Asked, facts: QuestionFacts): readonly Question[] {
  const get = (suffix: string, pairs: Pairs = [], headers = {}): Question =>
    plainly(target, { method: 'GET', path: target.path + suffix + queryText(pairs), headers })
  const exact = { prefer: 'count=exact' }
  return [
    get(''),
    get('', [], exact),
    ...['/', '/count', '/first', '/last'].map((word) => get(word)),
    ...['HEAD', 'OPTIONS'].map((method) => plainly(target, { method, path: target.path })),
    ...headQuestions(target, facts),
    get('', [['limit', 2]]),
    get('', [['offset', 2]]),
    get('', [['limit', 1]], exact),
    ...['', '/count', '/first', '/last'].map((word) => get(word, [['q', facts.mark]])),
    get('', [['q', facts.mark]], exact),
    ...sortQuestions(target, facts, get),
    ...filterQuestions(target, facts, get),
    ...mixedQuestions(target, facts, get),
    ...groupQuestions(target, facts, get),
    ...includesOf(target).map((pairs) => get('', pairs)),
    ...itemQuestions(target, facts, get),
    ...headerQuestions(target, facts, get),
  ]
}

function headQuestions({ collection, path }: Asked, { mark }: QuestionFacts): readonly Question[] {
  return ['/count', '/first', '/last', `?q=${mark}`, '?limit=1'].map((suffix) =>
    plainly({ collection, path }, { method: 'HEAD', path: path + suffix }),
  )
}

type Get = (suffix: string, pairs?: Pairs, headers?: Readonly<Record<string, string>>) => Question

function itemQuestions(target: Asked, facts: QuestionFacts, get: Get): readonly Question[] {
  const [theirs] = facts.foreign.of(target.collection)
  const tag = theirs?.tag ?? '"1"'
  return facts.ownTree.of(target.collection).flatMap(({ id }) => {
    const word = `/${encodeURIComponent(id)}`
    return [
      ...includesOf(target).map((pairs) => get(word, pairs)),
      get(word),
      get(word, [['fields', 'id']]),
      get(word, [], { 'if-none-match': tag }),
      plainly(target, { method: 'HEAD', path: target.path + word }),
    ]
  })
}

function includesOf({ collection }: Asked): readonly Pairs[] {
  return collection.references.flatMap(({ include }) =>
    include === undefined ? [] : [[['include', include] as const]],
  )
}

// A layer, a proxy or a context can read headers before the scope.
function headerQuestions(target: Asked, { owners }: QuestionFacts, get: Get): readonly Question[] {
  const named = Object.entries(owners).filter(([field]) => target.collection.owners.includes(field))
  return [
    get('', [], { accept: 'text/html' }),
    get('', [], { range: 'items=0-0' }),
    get('', [], { 'x-http-method-override': 'OPTIONS' }),
    ...named.flatMap(([field, value]) => [
      get('', [[field, value]]),
      ...headerNamesOf(field).map((name) => get('', [], { [name]: `${value}` })),
    ]),
    ...['', '/count'].map((word): Question => ({ ...get(word), caller: 'nobody' })),
  ]
}

// `tenant_id` → `x-tenant-id`, `x-tenant`, `tenant-id`, `tenant`
function headerNamesOf(field: string): readonly string[] {
  const name = field.replace(/(?<=[a-z])(?=[A-Z])|_/g, '-').toLowerCase()
  return [name, name.replace(/-id$/, '')].flatMap((form) => [form, `x-${form}`])
}
