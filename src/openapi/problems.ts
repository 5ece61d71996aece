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
import type { OperationAt, Service } from './source.ts'
import { type Node, withType } from './walk.ts'

type ErrorStatus = Exclude<Status, 200 | 201>

const words: Readonly<Record<ErrorStatus, string>> = {
  400: 'The request is malformed.',
  401: 'The client is not authenticated.',
  403: 'The client is not allowed to do this.',
  404: 'An item or a parent does not exist.',
  405: 'The path does not allow this method.',
  409: 'The stored data do not allow this. The server changed nothing.',
  422: 'The item is invalid; see `issues`. The server changed nothing.',
  429: 'Too many requests.',
  500: 'The server failed.',
  503: 'The service is temporarily unavailable.',
}

/** The parts of the document that problems use. */
export interface ProblemKit {
  readonly components: Components
  readonly service: Pick<Service, 'problemTypes' | 'limits'>
}

/** Returns the responses of an operation's problems by status. */
export function problemResponses(
  codes: CodesByStatus,
  name: (codes: readonly ProblemCode[]) => string,
  kit: ProblemKit,
): Readonly<Record<string, Node>> {
  const { responses } = kit.components
  return Object.fromEntries(
    [...codes].map(([status, some]) => [
      status,
      responses.refer(status === 400 ? name(some) : some.join('.'), () =>
        problemResponse(some, kit),
      ),
    ]),
  )
}

/** As {@link problemResponses}, without bodies and codes. */
export function headProblemResponses(
  codes: CodesByStatus,
  { components }: ProblemKit,
): Readonly<Record<string, Node>> {
  return Object.fromEntries(
    [...codes.keys()].map((status) => [
      status,
      components.responses.refer(`head.${status}`, () => ({
        description: words[status as ErrorStatus],
        ...headersOf(status, components),
      })),
    ]),
  )
}

/** Names the 400 response that operations with the same body and parameters share. */
export function nameOfBadRequest({ kind, parameters, collection }: OperationAt): string {
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
  const list = codes.map((code) => `\`${code}\``).join(', ')
  return {
    // Viewers show the description first, and the enum only in the schema.
    description: `${words[status as ErrorStatus]} Its \`code\`: ${list}.`,
    ...headersOf(status, components),
    content: {
      [problemType]: { schema: { allOf: [refTo('Problem'), narrowed] }, example: body },
    },
  }
}

function headersOf(status: Status, { headers }: Components): Node {
  const found = Object.entries(headersOfStatus[status] ?? {}).map(([name, header]) => [
    name,
    headers.refer(name, () => header),
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
      description: 'How to authenticate.',
      required: true,
      schema: { type: 'string' },
      example: 'Bearer',
    },
  },
  405: { Allow: allowHeader },
  429: retryAfter,
  503: retryAfter,
}

/** Shares the schemas of problems. */
export function addProblemSchemas(schemas: Schemas): void {
  schemas.set(schemas.reserve('Problem'), {
    type: 'object',
    description: `A problem (RFC 9457) as \`${problemType}\`; else \`${jsonType}\`.`,
    properties: {
      type: text('The code as a URL.', { format: 'uri-reference' }),
      title: text('The code in words.'),
      status: { type: 'integer', enum: statuses.filter((status) => status >= 400) },
      detail: text('The error, for people.'),
      code: text('The error, for programs.', { enum: Object.keys(problems) }),
      message: text('The same as `detail`.'),
      issues: list('All issues of the request.', refTo('ProblemIssue')),
      allowed: list('The allowed words.', { type: 'string' }),
      supported: list('The supported versions.', { type: 'string' }),
      request_id: text("The id of the request, for the service's operators."),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'message'],
  })
  schemas.set(schemas.reserve('ProblemIssue'), {
    type: 'object',
    description: 'One issue: at a `pointer` into the body, or in a `parameter` of the query.',
    properties: {
      pointer: text('A JSON Pointer (RFC 6901): `/3/name`.'),
      parameter: text('The name of a parameter.'),
      code: text('The issue, for programs.'),
      message: text('The issue, for people.'),
      allowed: list('The allowed words.', { type: 'string' }),
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
