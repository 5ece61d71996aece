import type { HttpRequest } from 'nounful'
import type { Reply, Serve, Violation } from '../faulty-server.ts'

/** A violation: the rule it breaks, how, and the rules that are broken along with it. */
export type Injected = readonly [
  rule: string,
  how: string,
  violation: Violation,
  also?: readonly string[],
]

/** The path of a request, without its query. */
export function pathOf({ url }: HttpRequest): string {
  return url.split('?')[0] ?? ''
}

/** The body of a request as JSON; `undefined` for none. */
export function bodyIn({ body }: HttpRequest) {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

/** Leaves out a header. */
export function withoutHeader(name: string): (request: HttpRequest) => HttpRequest {
  return (request) => ({
    ...request,
    headers: Object.fromEntries(
      Object.entries(request.headers ?? {}).filter(([key]) => key !== name),
    ),
  })
}

/** A parameter of a request. */
export function parameterIn({ url }: HttpRequest, name: string): string | undefined {
  return new URLSearchParams(url.split('?')[1] ?? '').get(name) ?? undefined
}

/** The request with some of its query left out. */
export function stripped(request: HttpRequest, pattern: RegExp): HttpRequest {
  const [path = '', query = ''] = request.url.split('?')
  const left = query.split('&').filter((pair) => !pattern.test(pair) && pair !== '')
  return { ...request, url: left.length === 0 ? path : `${path}?${left.join('&')}` }
}

/** A GET of the players of a team. */
export function isList(request: HttpRequest): boolean {
  return request.method === 'GET' && /\/players\/?$/.test(pathOf(request))
}

/** Returns the problem code of a response. */
export function codeIn({ body }: Reply): unknown {
  return Reflect.get(Object(body), 'code')
}

/** An answer of 200. */
export function fine(body: unknown): Reply {
  return { status: 200, headers: { 'content-type': 'application/json' }, body }
}

/** Sends another request than was sent, where it is one of some. */
export function sending(
  isMeant: (request: HttpRequest) => boolean,
  change: (request: HttpRequest) => HttpRequest,
): Violation {
  return (request, serve) => serve(isMeant(request) ? change(request) : request)
}

/** Answers otherwise than was answered, where it is one of some. */
export function answering(
  isMeant: (request: HttpRequest, reply: Reply) => boolean,
  change: (reply: Reply, request: HttpRequest, serve: Serve) => Reply | Promise<Reply>,
): Violation {
  return async (request, serve) => {
    const reply = await serve(request)
    return isMeant(request, reply) ? change(reply, request, serve) : reply
  }
}

/** Sends more requests, and answers as was answered. */
export function meanwhile(act: (request: HttpRequest, serve: Serve, reply: Reply) => unknown) {
  return async (reply: Reply, request: HttpRequest, serve: Serve): Promise<Reply> => {
    await act(request, serve, reply)
    return reply
  }
}

/** Answers 200 where it should be a problem. */
export function lenient(
  code: string,
  body: unknown = [],
  isMeant: (request: HttpRequest) => boolean = ({ method }) => method === 'GET',
): Violation {
  return answering(
    (request, reply) => codeIn(reply) === code && isMeant(request),
    () => fine(body),
  )
}

/** Lets a problem pass under another status and code. */
export function renamed(
  isMeant: (request: HttpRequest, reply: Reply) => boolean,
  status: number,
  code: string,
): Violation {
  return answering(isMeant, ({ headers }) => ({
    status,
    headers: {
      ...(status === 405 && { allow: 'OPTIONS' }),
      ...headers,
      'content-type': 'application/problem+json',
    },
    body: { type: 'about:blank', title: code, status, detail: code, code, message: code },
  }))
}

/** Changes the items of a list. */
export function listing(
  isMeant: (request: HttpRequest) => boolean,
  change: (items: readonly Item[], request: HttpRequest) => unknown,
): Violation {
  return answering(
    (request, { status }) => status === 200 && isList(request) && isMeant(request),
    (reply, request) => ({ ...reply, body: change(reply.body as Item[], request) }),
  )
}

/** A player as it comes. */
export interface Item {
  readonly id: string
  readonly [field: string]: unknown
}

/** Always. */
export function always(): boolean {
  return true
}

/** Adds headers that announce an end to the responses of a server that deprecates nothing. */
export function announcing(
  headers: Readonly<Record<string, string>>,
  isMeant: (reply: Reply) => boolean = () => true,
): Violation {
  return answering(
    (_, reply) => isMeant(reply),
    (reply) => {
      const { link } = reply.headers
      const both =
        link === undefined || headers.link === undefined ? {} : { link: `${link}, ${headers.link}` }
      return { ...reply, headers: { ...reply.headers, ...headers, ...both } }
    },
  )
}
