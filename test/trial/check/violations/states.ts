import type { HttpRequest } from 'nounful'
import { answering, bodyIn, codeIn, type Injected, renamed, sending } from './tools.ts'

const isPost = (request: HttpRequest): boolean =>
  request.method === 'POST' && /\/players$/.test(request.url) && !Array.isArray(bodyIn(request))
const phaseIn = (request: HttpRequest): unknown => Object(bodyIn(request)).phase
const moves = (method: string, phase: string) => (request: HttpRequest) =>
  request.method === method && phaseIn(request) === phase
const withBody = (request: HttpRequest, body: unknown): HttpRequest => ({
  ...request,
  body: JSON.stringify(body),
})
const withoutAllowed = ({ allowed: _, ...issue }: Record<string, unknown>): object => issue

/** Violations of states. */
export const stateWrites: readonly Injected[] = [
  [
    'state-initial',
    'any state is the first one',
    sending(
      (request) => isPost(request) && ['signed', 'sold'].includes(`${phaseIn(request)}`),
      (request) => withBody(request, { ...bodyIn(request), phase: 'new' }),
    ),
  ],
  [
    'state-default',
    'an item has no state',
    answering(
      (request, { status }) => isPost(request) && status === 201 && phaseIn(request) === undefined,
      (reply) => {
        const { phase: _, ...item } = Object(reply.body)
        return { ...reply, body: item }
      },
    ),
    ['create-location'],
  ],
  ['state-move', 'no state follows', renamed(moves('PATCH', 'signed'), 409, 'conflict')],
  [
    'state-move',
    'the same state is a move',
    (() => {
      const moved = new Set<string>()
      const refuse = renamed(moves('PATCH', 'signed'), 409, 'conflict')
      return (request, serve) => {
        const isAgain = moves('PATCH', 'signed')(request) && moved.has(request.url)
        moved.add(request.url)
        return isAgain ? refuse(request, serve) : serve(request)
      }
    })(),
  ],
  [
    'state-refused',
    'a PUT skips a state',
    async (request, serve) => {
      if (!moves('PUT', 'sold')(request)) return serve(request)
      await serve({ ...withBody(request, { phase: 'signed' }), method: 'PATCH' })
      return serve(request)
    },
  ],
  [
    'state-refused',
    'a PATCH is ignored',
    answering(moves('PATCH', 'sold'), (_, { url }, serve) => serve({ method: 'GET', url })),
  ],
  [
    'state-refused',
    'without the states that follow',
    answering(
      (_, reply) => codeIn(reply) === 'conflict',
      (reply) => {
        const { issues = [], ...problem } = Object(reply.body)
        return { ...reply, body: { ...problem, issues: issues.map(withoutAllowed) } }
      },
    ),
    ['bulk-state-refused'],
  ],
  [
    'bulk-state-refused',
    'the other items change',
    async (request, serve) => {
      const reply = await serve(request)
      if (codeIn(reply) === 'conflict' && Array.isArray(bodyIn(request)))
        await serve(withBody(request, bodyIn(request).slice(0, 1)))
      return reply
    },
  ],
]
