import { parseHttpDate } from '../../../wire/http-date.ts'
import { parseDeprecation } from '../../../wire/lifecycle.ts'
import { parseLink } from '../../../wire/link.ts'
import type { CheckedCollection } from '../collection.ts'
import { fail, skip } from '../expect.ts'
import { type CheckResponse, isSuccess } from '../message.ts'
import { relativeOrigin, resolveReference } from '../path.ts'
import { defineRules, type UnnamedRule } from '../rule.ts'

/** Rules about the headers that announce the end of a version or a path. They run last. */
export const lifecycleRules = defineRules([], {
  'deprecation-syntax': headerRule(
    '`Deprecation` is a date of RFC 9745: `@1793491200`.',
    'deprecation',
    (response, text) => {
      if (parseDeprecation(text) === undefined) fail(response, `It is ${JSON.stringify(text)}.`)
    },
  ),
  'sunset-syntax': headerRule(
    '`Sunset` is a date of HTTP: `Mon, 01 Nov 2027 00:00:00 GMT`.',
    'sunset',
    (response, text) => {
      const isDate = parseHttpDate(text) !== undefined && text.endsWith(' GMT')
      if (!isDate) fail(response, `It is ${JSON.stringify(text)}.`)
    },
  ),
  'sunset-after-deprecation': headerRule(
    '`Sunset` is not before `Deprecation`.',
    'sunset',
    (response, text) => {
      const sunset = parseHttpDate(text)
      const deprecation = parseDeprecation(response.headers.deprecation ?? '')
      if (sunset === undefined || deprecation === undefined) return
      if (sunset < deprecation) fail(response, `The sunset ${text} comes first.`)
    },
  ),
  'deprecation-everywhere': {
    text: 'Every response of a deprecated collection has the same `Deprecation` and `Sunset`.',
    run: (collection) => {
      const within = collection.log().filter((response) => isWithin(response, collection))
      const [first] = announcing(within, 'deprecation')
      for (const response of within) {
        for (const name of ['deprecation', 'sunset'] as const) {
          const [found, expected] = [response.headers[name], first?.headers[name]]
          const shown = found === undefined ? 'lacks it' : `has ${JSON.stringify(found)}`
          if (found !== expected)
            fail(
              response,
              `The response ${shown}: "${name}" is ${expected ?? 'missing'} elsewhere.`,
            )
        }
      }
    },
  },
  'successor-answers': {
    text: 'The `successor-version` of a collection answers a GET.',
    run: async (collection) => {
      const { path, send } = collection
      const response = await send('GET', path)
      const { 'successor-version': successor } = parseLink(response.headers.link ?? '')
      if (successor === undefined) skip('The server names no successor.')
      const target = resolveReference(successor, path)
      if (target?.origin !== relativeOrigin) skip('The successor is no path of this server.')
      const answered = await send('GET', target.pathname + target.search)
      if (!isSuccess(answered)) fail(answered, `The successor answers ${answered.status}.`)
    },
  },
})

function headerRule(
  text: string,
  name: 'deprecation' | 'sunset',
  check: (response: CheckResponse, header: string) => void,
): UnnamedRule {
  return {
    text,
    run({ log }) {
      for (const response of announcing(log(), name)) check(response, response.headers[name] ?? '')
    },
  }
}

function announcing(log: readonly CheckResponse[], name: string): readonly CheckResponse[] {
  const found = log.filter(({ headers }) => headers[name] !== undefined)
  if (found.length === 0) skip(`The server sends no "${name}".`)
  return found
}

// The check also asks for other paths and versions, which may stay.
function isWithin({ request }: CheckResponse, { path }: CheckedCollection): boolean {
  const [asked = ''] = request.path.split('?')
  return (
    asked === path || (asked.startsWith(`${path}/`) && !asked.slice(path.length + 1).includes('/'))
  )
}
