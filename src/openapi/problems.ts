import { type ProblemCode, statuses } from '../convention/operations.ts'
import { problem } from '../convention/problem.ts'
import { problems } from '../convention/problems.ts'
import { jsonType, problemType } from '../wire/body.ts'
import { formatProblem } from '../wire/problem.ts'
import type { CodesByStatus, ErrorStatus } from './codes.ts'
import { type Components, type HeaderName, withHeaders } from './components.ts'
import { type Node, refTo, withType } from './json-schema.ts'
import type { Service } from './source.ts'

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

const names: Readonly<Record<ErrorStatus, ProblemCode>> = {
  400: 'bad_request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  422: 'validation_failed',
  429: 'rate_limited',
  500: 'internal_error',
  503: 'unavailable',
}

/** Returns the responses of an operation's problems by status. */
export function problemResponses(
  codes: CodesByStatus,
  kit: ProblemKit,
): Readonly<Record<string, Node>> {
  return byStatus(codes, (status, some) => {
    const name = { name: names[status], key: some.join('.') }
    return kit.components.refer('responses', name, () => problemResponse(status, some, kit))
  })
}

/** As {@link problemResponses}, without bodies and codes. */
export function headProblemResponses(
  codes: CodesByStatus,
  components: Components,
): Readonly<Record<string, Node>> {
  return byStatus(codes, (status) =>
    components.refer('responses', `head.${status}`, () => ({
      description: words[status],
      ...withHeaders(headersOfStatus[status] ?? [], components),
    })),
  )
}

function byStatus(
  codes: CodesByStatus,
  make: (status: ErrorStatus, some: readonly ProblemCode[]) => Node,
): Readonly<Record<string, Node>> {
  return Object.fromEntries(codes.map(([status, some]) => [status, make(status, some)]))
}

function problemResponse(
  status: ErrorStatus,
  codes: readonly ProblemCode[],
  kit: ProblemKit,
): Node {
  const narrowed = {
    type: 'object',
    properties: { status: withType({ const: status }), code: withType({ enum: codes }) },
    required: ['status', 'code'],
  }
  const list = codes.map((code) => `\`${code}\``).join(', ')
  return {
    // Viewers show the description first, and the enum only in the schema.
    description: `${words[status]} Its \`code\`: ${list}.`,
    ...withHeaders(headersOfStatus[status] ?? [], kit.components),
    content: {
      [problemType]: {
        schema: { allOf: [refTo('Problem'), narrowed] },
        examples: Object.fromEntries(codes.map((code) => [code, exampleOf(code, kit)])),
      },
    },
  }
}

function exampleOf(code: ProblemCode, { components, service }: ProblemKit): Node {
  return components.refer('examples', code, () => ({
    summary: problems[code].title,
    value: formatProblem(problem(code), service).body,
  }))
}

const headersOfStatus: Partial<Record<ErrorStatus, readonly HeaderName[]>> = {
  401: ['WWW-Authenticate'],
  405: ['Allow'],
  429: ['Retry-After'],
  503: ['Retry-After'],
}

/** The schemas of problems. */
export const problemSchemas: Readonly<Record<string, Node>> = {
  Problem: {
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
      sunset: text('The announced end of a retired version.'),
      request_id: text("The id of the request, for the service's operators."),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'message'],
  },
  ProblemIssue: {
    type: 'object',
    description: 'One issue: at a `pointer` into the body, or in a `parameter` of the query.',
    properties: {
      pointer: text('A JSON Pointer (RFC 6901): `/3/name`.'),
      parameter: text('The name of a parameter.'),
      code: text(
        'The issue, for programs. `reference_not_found` for an id of no item that you may read.',
      ),
      message: text('The issue, for people.'),
      allowed: list('The allowed words.', { type: 'string' }),
    },
    required: ['code', 'message'],
  },
}

function text(description: string, more: Node = {}): Node {
  return { type: 'string', ...more, description }
}

function list(description: string, items: Node): Node {
  return { type: 'array', items, description }
}
