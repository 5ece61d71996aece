import { type ProblemCode, statuses } from '../convention/operations.ts'
import { problem } from '../convention/problem.ts'
import { problems } from '../convention/problems.ts'
import { jsonType, problemType } from '../wire/body.ts'
import { formatProblem } from '../wire/problem.ts'
import type { CodesByStatus, ErrorStatus } from './codes.ts'
import { type Components, type HeaderName, withHeaders } from './components.ts'
import { type Node, refTo, withType } from './json-schema.ts'
import type { Service } from './source.ts'

const descriptions: Readonly<Record<ErrorStatus, string>> = {
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

const componentNames: Readonly<Record<ErrorStatus, ProblemCode>> = {
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
  return byStatus(codes, (status, codesOfStatus) => {
    const name = { name: componentNames[status], key: codesOfStatus.join('.') }
    return kit.components.refer('responses', name, () =>
      problemResponse(status, codesOfStatus, kit),
    )
  })
}

/** As {@link problemResponses}, without bodies and codes. */
export function headProblemResponses(
  codes: CodesByStatus,
  components: Components,
): Readonly<Record<string, Node>> {
  return byStatus(codes, (status) =>
    components.refer('responses', `head.${status}`, () => ({
      description: descriptions[status],
      ...withHeaders(headersOfStatus[status] ?? [], components),
    })),
  )
}

function byStatus(
  codes: CodesByStatus,
  createResponse: (status: ErrorStatus, codesOfStatus: readonly ProblemCode[]) => Node,
): Readonly<Record<string, Node>> {
  return Object.fromEntries(
    codes.map(([status, codesOfStatus]) => [status, createResponse(status, codesOfStatus)]),
  )
}

function problemResponse(
  status: ErrorStatus,
  codes: readonly ProblemCode[],
  kit: ProblemKit,
): Node {
  const codeSchema = {
    type: 'object',
    properties: { status: withType({ const: status }), code: withType({ enum: codes }) },
    required: ['status', 'code'],
  }
  const codeList = codes.map((code) => `\`${code}\``).join(', ')
  return {
    // Viewers show the description first, and the enum only in the schema.
    description: `${descriptions[status]} Its \`code\`: ${codeList}.`,
    ...withHeaders(headersOfStatus[status] ?? [], kit.components),
    content: {
      [problemType]: {
        schema: { allOf: [refTo('Problem'), codeSchema] },
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
      type: textSchema('The code as a URL.', { format: 'uri-reference' }),
      title: textSchema('The code in words.'),
      status: { type: 'integer', enum: statuses.filter((status) => status >= 400) },
      detail: textSchema('The error, for people.'),
      code: textSchema('The error, for programs.', { enum: Object.keys(problems) }),
      message: textSchema('The same as `detail`.'),
      issues: listSchema('All issues of the request.', refTo('ProblemIssue')),
      allowed: listSchema('The allowed words.', { type: 'string' }),
      supported: listSchema('The supported versions.', { type: 'string' }),
      sunset: textSchema('The announced end of a retired version.'),
      request_id: textSchema("The id of the request, for the service's operators."),
    },
    required: ['type', 'title', 'status', 'detail', 'code', 'message'],
  },
  ProblemIssue: {
    type: 'object',
    description: 'One issue: at a `pointer` into the body, or in a `parameter` of the query.',
    properties: {
      pointer: textSchema('A JSON Pointer (RFC 6901): `/3/name`.'),
      parameter: textSchema('The name of a parameter.'),
      code: textSchema(
        'The issue, for programs. `reference_not_found` for an id of no item that you may read.',
      ),
      message: textSchema('The issue, for people.'),
      allowed: listSchema('The allowed words.', { type: 'string' }),
    },
    required: ['code', 'message'],
  },
}

function textSchema(description: string, keywords: Node = {}): Node {
  return { type: 'string', ...keywords, description }
}

function listSchema(description: string, items: Node): Node {
  return { type: 'array', items, description }
}
