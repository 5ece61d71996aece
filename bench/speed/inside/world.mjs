import findMyWay from 'find-my-way'
import { door } from '../contenders/work/library.mjs'
import { anything, outlined, registryOf as registryOver } from '../contenders/work/registry.mjs'
import { add, companies, employees, replaceAll } from '../contenders/work/store.mjs'
import { flat } from './turns.mjs'

/** The library's main door. */
export const nounful = await door('index')

/** The items, made of text that came in one piece, as they do from storage. */
export const items = [...employees.values()].map(parsed)
const owners = [...companies.values()].map(parsed)
const itemsById = new Map(items.map((item) => [item.id, item]))
const ownersById = new Map(owners.map((owner) => [owner.id, owner]))

function parsed(item) {
  return JSON.parse(flat(JSON.stringify(item)))
}

/** Lists so many items. */
export function listOf(length) {
  const page = items.slice(0, length)
  return () => page
}

/** A registry over an adapter that answers at once. */
export function registryOf(list, options) {
  const adapters = {
    companies: { read: ({ id }) => ownersById.get(id) },
    employees: {
      list,
      create: ({ item }) => add(item),
      updateMany: ({ items }) => replaceAll(items),
      update: ({ id, item }) => itemsById.has(id) && item,
      modify: ({ id }, _, change) => change(itemsById.get(id)),
      read: ({ id }) => itemsById.get(id),
      count: () => items.length,
    },
  }
  return registryOver(adapters, { schema: outlined, create: anything, options })
}

const headers = { host: 'localhost', accept: '*/*' }
const sorts = ['name', '-name', 'birthdate', '-birthdate', 'name,-birthdate', '-created_at,name']

/** The case that is timed by the clock. */
export const bulk = 'PUT of 100'

const drafts = items.map(({ id, created_at, ...draft }) => draft)
const bulks = Array.from({ length: 10 }, (_, index) =>
  drafts.slice(index * 100, index * 100 + 100).map((draft, at) => ({ id: `${at}`, ...draft })),
)

/** The bodies of requests and responses, as text and as value; by name of the case. */
export const bodies = {
  read: items.map(bodyOf),
  list: bulks.map((_, index) => bodyOf(items.slice(index * 20, index * 20 + 20))),
  create: drafts.map(bodyOf),
  [bulk]: bulks.map(bodyOf),
}

function bodyOf(value) {
  return { text: flat(JSON.stringify(value)), value }
}

/** Requests, so many that no two texts in a row are alike; by name of the case. */
export const requests = {
  read: items.map(({ id }) => get(`/v1/employees/${id}`)),
  'nested read': items.map(({ id, company_id }) =>
    get(`/v1/companies/${company_id}/employees/${id}`),
  ),
  list: sorts.map((sort) => get(`/v1/employees?sort=${sort}&limit=20`)),
  count: [get('/v1/employees/count')],
  create: bodies.create.map((body) => send('POST', body)),
  404: items.map(({ id }) => get(`/v1/nowhere/${id}`)),
  405: items.map(({ id }) => ({ method: 'DELETE', url: flat(`/v1/employees/${id}`), headers })),
  PUT: bodies.create.map((body, at) => send('PUT', body, items[at])),
  PATCH: drafts.map(({ name }, at) => send('PATCH', bodyOf({ name }), items[at])),
  [bulk]: bodies[bulk].map((body) => send('PUT', body)),
}

function send(method, { text }, item) {
  const type = { ...headers, 'content-type': 'application/json' }
  const url = flat(item === undefined ? '/v1/employees' : `/v1/employees/${item.id}`)
  return { method, url, headers: type, body: text }
}

function get(url) {
  return { method: 'GET', url: flat(url), headers }
}

/** The same paths in find-my-way: what a server on it would have to tell apart. */
export function findMyWayRouter() {
  const router = findMyWay()
  for (const path of ['/v1/employees', '/v1/companies', '/v1/companies/:company_id/employees']) {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE']) router.on(method, path, answer)
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) router.on(method, `${path}/:id`, answer)
    for (const word of ['first', 'last', 'count']) router.on('GET', `${path}/${word}`, answer)
  }
  return router
}

function answer() {}
