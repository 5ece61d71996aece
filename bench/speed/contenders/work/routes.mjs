import * as answers from './answers.mjs'

const { allowed } = answers
const collection = '/v1/employees'
const item = '/v1/employees/:id'
const nested = '/v1/companies/:company_id/employees/:id'

/** The requests of most frameworks have members of these names. */
const members = {
  query: ({ query }) => query,
  param: ({ params }, name) => params[name],
  body: ({ body }) => body,
  method: ({ method }) => method,
  path: ({ path }) => path,
}

/**
 * How a framework does the work of a handler, which gets the framework's own one or two arguments.
 *
 * @typedef {object} Framework
 * @property {(method: string, path: string, handler: Function) => void} on Adds a route.
 * @property {(path: string, allow: string, handler: Function) => void} all Adds a route for the
 *   methods that are not allowed.
 * @property {(handler: Function) => void} otherwise Handles a path without a route.
 * @property {Function} [query] The query of a request, as an object.
 * @property {Function} [param] One parameter of its path.
 * @property {Function} [body] Its body, parsed, or a promise of it.
 * @property {Function} [method] Its method.
 * @property {Function} [path] Its path.
 * @property {Function} send Sends an answer.
 */

/**
 * Adds the routes of the bench to a framework.
 *
 * @param {Framework} framework
 */
export function addRoutes(framework) {
  const { on, all, otherwise, query, param, body, method, path, send } = {
    ...members,
    ...framework,
  }
  on('GET', collection, (a, b) => {
    const { sort, limit } = query(a)
    return send(a, b, answers.list(collection, sort, limit))
  })
  on(
    'POST',
    collection,
    withBody((value) => answers.create(collection, value)),
  )
  on('PUT', collection, withBody(answers.replaceAll))
  on('GET', `${collection}/count`, (a, b) => send(a, b, answers.count()))
  on('GET', item, (a, b) => send(a, b, answers.read(param(a, 'id'))))
  on('GET', nested, (a, b) => send(a, b, answers.read(param(a, 'id'), param(a, 'company_id'))))
  for (const [place, allow] of [
    [collection, allowed.collection],
    [item, allowed.item],
    [nested, allowed.item],
  ]) {
    all(place, allow, (a, b) => send(a, b, answers.refuse(method(a), allow)))
  }
  otherwise((a, b) => send(a, b, answers.nowhere(path(a))))

  function withBody(answer) {
    return (a, b) => {
      const value = body(a)
      if (!(value instanceof Promise)) return send(a, b, answer(value))
      return value.then((parsed) => send(a, b, answer(parsed)))
    }
  }
}
