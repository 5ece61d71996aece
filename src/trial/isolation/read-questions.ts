import {
  filterQuestions,
  mixedQuestions,
  type Pairs,
  sortQuestions,
} from './parameter-questions.ts'
import { type Asked, plainly, type Question, type QuestionFacts, queryText } from './question.ts'

/** Asks everything that a caller can read of a collection of its own. */
export function readQuestions(asked: Asked, facts: QuestionFacts): readonly Question[] {
  const get = (suffix: string, pairs: Pairs = [], headers = {}): Question =>
    plainly(asked, { method: 'GET', path: asked.path + suffix + queryText(pairs), headers })
  const exact = { prefer: 'count=exact' }
  return [
    get(''),
    get('', [], exact),
    ...['/', '/count', '/first', '/last'].map((word) => get(word)),
    ...['HEAD', 'OPTIONS'].map((method) => plainly(asked, { method, path: asked.path })),
    ...headQuestions(asked, facts),
    get('', [['limit', 2]]),
    get('', [['offset', 2]]),
    get('', [['limit', 1]], exact),
    ...['', '/count', '/first', '/last'].map((word) => get(word, [['q', facts.mark]])),
    get('', [['q', facts.mark]], exact),
    ...sortQuestions(asked, facts, get),
    ...filterQuestions(asked, facts, get),
    ...mixedQuestions(asked, facts, get),
    ...includesOf(asked).map((pairs) => get('', pairs)),
    ...itemQuestions(asked, facts, get),
    ...headerQuestions(asked, facts, get),
  ]
}

function headQuestions({ collection, path }: Asked, { mark }: QuestionFacts): readonly Question[] {
  return ['/count', '/first', '/last', `?q=${mark}`, '?limit=1'].map((suffix) =>
    plainly({ collection, path }, { method: 'HEAD', path: path + suffix }),
  )
}

type Get = (suffix: string, pairs?: Pairs, headers?: Readonly<Record<string, string>>) => Question

function itemQuestions(asked: Asked, facts: QuestionFacts, get: Get): readonly Question[] {
  const [theirs] = facts.foreign.of(asked.collection)
  const tag = theirs?.tag ?? '"1"'
  return facts.own.of(asked.collection).flatMap(({ id }) => {
    const word = `/${encodeURIComponent(id)}`
    return [
      ...includesOf(asked).map((pairs) => get(word, pairs)),
      get(word),
      get(word, [['fields', 'id']]),
      get(word, [], { 'if-none-match': tag }),
      plainly(asked, { method: 'HEAD', path: asked.path + word }),
    ]
  })
}

function includesOf({ collection }: Asked): readonly Pairs[] {
  return collection.references.flatMap(({ include }) =>
    include === undefined ? [] : [[['include', include] as const]],
  )
}

// A layer, a proxy or a context can read headers before the scope.
function headerQuestions(asked: Asked, { owners }: QuestionFacts, get: Get): readonly Question[] {
  const named = Object.entries(owners).filter(([field]) => asked.collection.owners.includes(field))
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
  return [name, name.replace(/-id$/, '')].flatMap((one) => [one, `x-${one}`])
}
