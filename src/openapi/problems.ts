import {
  operations,
  type ProblemCode,
  problems,
  type Status,
  statuses,
} from '../model/convention.ts'
import { problem } from '../model/problem.ts'
import { jsonType, problemType } from '../wire/body.ts'
import { formatProblem } from '../wire/problem.ts'
import type { CodesByStatus } from './codes.ts'
import type { Components } from './components.ts'
import { refTo, type Schemas } from './schemas.ts'
import type { Service, Spot } from './source.ts'
import { withType } from './typed.ts'
import type { Node } from './walk.ts'

type Refusal = Exclude<Status, 200 | 201>

const words: Readonly<Record<Refusal, string>> = {
  400: 'The request is wrong as it was sent.',
  401: 'It is not known who is asking.',
  403: 'Whoever is asking must not do this.',
  404: 'The path names something that is not there.',
  405: 'The path does not take this method.',
  409: 'What is stored does not allow this. Nothing was changed.',
  422: 'What was sent is not what it has to be; `issues` names every fault. Nothing was changed.',
  429: 'Too many requests.',
  500: 'Something went wrong in the server.',
  503: 'The service cannot answer at the moment.',
}

/** What problems are written with. */
export interface ProblemKit {
  readonly components: Components
  readonly service: Pick<Service, 'problemTypes' | 'limits'>
}

/** The responses of the problems that may come, by status. */
export function problemResponses(
  codes: CodesByStatus,
  name: (codes: readonly ProblemCode[]) => string,
  kit: ProblemKit,
): Readonly<Record<string, Node>> {
  const { responses } = kit.components
  return Object.fromEntries(
    [...codes].map(([status, some]) => [
      status,
      responses.share(status === 400 ? name(some) : some.join('.'), () =>
        problemResponse(some, kit),
      ),
    ]),
  )
}

/** The same as HEAD answers them: without saying which. */
export function headProblemResponses(
  codes: CodesByStatus,
  { components }: ProblemKit,
): Readonly<Record<string, Node>> {
  return Object.fromEntries(
    [...codes.keys()].map((status) => [
      status,
      components.responses.share(`head.${status}`, () => ({
        description: words[status as Refusal],
        ...headersOf(status, components),
      })),
    ]),
  )
}

/** What tells the 400 of one operation from that of another: what it takes. */
export function nameOfBadRequest({ kind, parameters, collection }: Spot): string {
  const { takes } = operations[kind]
  const isSorted = collection.resource.sortable.length > 0
  const taken = parameters.map((name) => (name === 'sort' && !isSorted ? 'unsorted' : name))
  return ['bad_request', ...(takes === 'nothing' ? [] : [takes]), ...taken].join('.')
}

function problemResponse(codes: readonly ProblemCode[], { components, service }: ProblemKit): Node {
  const code = codes[0] as ProblemCode
  const { status } = problems[code]
  const { body } = formatProblem(problem(code), service)
  const narrowed = {
    type: 'object',
    properties: { status: withType({ const: status }), code: withType({ enum: codes }) },
    required: ['status', 'code'],
  }
  const told = codes.map((code) => `\`${code}\``).join(', ')
  return {
    // Viewers show it at once, and the words to choose from only in the schema.
    description: `${words[status as Refusal]} Its \`code\`: ${told}.`,
    ...headersOf(status, components),
    content: {
      [problemType]: { schema: { allOf: [refTo('Problem'), narrowed] }, example: body },
    },
  }
}

function headersOf(status: Status, { headers }: Components): Node {
  const found = Object.entries(headersOfStatus[status] ?? {}).map(([name, header]) => [
    name,
    headers.share(name, () => header),
  ])
  return found.length > 0 ? { headers: Object.fromEntries(found) } : {}
}

const retryAfter: Readonly<Record<string, Node>> = {
  'Retry-After': {
    description: 'Seconds to wait before asking again.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
}

/** The methods that a path takes. */
export const allowHeader: Node = {
  description: 'The methods that the path takes.',
  required: true,
  schema: { type: 'string' },
  example: 'GET, HEAD, POST, OPTIONS',
}

const headersOfStatus: Partial<Record<Status, Readonly<Record<string, Node>>>> = {
  401: {
    'WWW-Authenticate': {
      description: 'How to say who is asking.',
      required: true,
      schema: { type: 'string' },
      example: 'Bearer',
    },
  },
  405: { Allow: allowHeader },
  429: retryAfter,
  503: retryAfter,
}

/** Keeps the schemas of problems with the shared ones. */
export function keepProblem(schemas: Schemas): void {
  schemas.set(schemas.reserve('Problem'), {
    type: 'object',
    description: `What went wrong (RFC 9457). Sent as \`${problemType}\`; all else is \`${jsonType}\`.`,
    properties: {
      type: text('Names the code, as a URL.', { format: 'uri-reference' }),
      title: text('The code in words.'),
      status: { type: 'integer', enum: statuses.filter((status) => status >= 400) },
      detail: text('What is wrong, for people.'),
      code: text('What is wrong, for programs.', { enum: Object.keys(problems) }),
      message: text('The same as `detail`.'),
      issues: list('Every part of the request that is at fault.', refTo('ProblemIssue')),
      allowed: list('The words that would have been right.', { type: 'string' }),
      supported: list('The versions there are.', { type: 'string' }),
      request_id: text(
        'Under which id the server knows the request; to be quoted to its operators.',
      ),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'message'],
  })
  schemas.set(schemas.reserve('ProblemIssue'), {
    type: 'object',
    description: 'One fault: at a `pointer` into the body, or in a `parameter` of the query.',
    properties: {
      pointer: text('A JSON Pointer (RFC 6901): `/3/name`.'),
      parameter: text('The name of a parameter.'),
      code: text('What is wrong, for programs.'),
      message: text('What is wrong, for people.'),
      allowed: list('The words that would have been right.', { type: 'string' }),
    },
    required: ['code', 'message'],
  })
}

function text(description: string, more: Node = {}): Node {
  return { type: 'string', ...more, description }
}

function list(description: string, items: Node): Node {
  return { type: 'array', items, description }
}
