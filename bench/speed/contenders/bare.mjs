import { createServer } from 'node:http'
import * as answers from './work/answers.mjs'

const { allowed } = answers

/** By hand, as fast as possible: the yardstick of all contenders. */
export function server() {
  return createServer((request, response) => {
    const { method, url } = request
    const place = placeOf(url)
    if (takesBody(method, place)) receive(request, response, place)
    else send(response, answer(method, place))
  })
}

/** The same for fetch. */
export function fetchHandler() {
  return (request) => {
    const { method, url } = request
    const place = placeOf(url.slice(url.indexOf('/', 8)))
    if (!takesBody(method, place)) return toResponse(answer(method, place))
    const type = request.headers.get('content-type')
    return request.text().then((text) => toResponse(write(text, type, { method, place })))
  }
}

function takesBody(method, { kind }) {
  return kind === 'collection' && (method === 'POST' || method === 'PUT')
}

function send(response, { status, type, name, value, body }) {
  const text = JSON.stringify(body)
  const length = `${Buffer.byteLength(text)}`
  const fields =
    name === undefined
      ? ['content-type', type, 'content-length', length]
      : ['content-type', type, name, value, 'content-length', length]
  response.writeHead(status, fields)
  response.end(text)
}

function toResponse({ status, type, name, value, body }) {
  const text = JSON.stringify(body)
  const headers = { 'content-type': type, 'content-length': `${Buffer.byteLength(text)}` }
  if (name !== undefined) headers[name] = value
  return new Response(text, { status, headers })
}

function placeOf(url) {
  const question = url.indexOf('?')
  const path = question < 0 ? url : url.slice(0, question)
  const search = question < 0 ? '' : url.slice(question + 1)
  if (path.startsWith('/v1/employees')) return placeIn(path, 13, search)
  const end = path.startsWith('/v1/companies/') ? path.indexOf('/', 14) : -1
  if (end < 0 || !path.startsWith('/employees', end)) return place('nowhere', path, search)
  return placeIn(path, end + 10, search, decode(path.slice(14, end)))
}

function placeIn(path, start, search, company) {
  if (path.length === start) return place('collection', path, search, company)
  const id = path.slice(start + 1)
  if (path.charCodeAt(start) !== 0x2f || id.includes('/')) return place('nowhere', path, search)
  if (id === '') return place('collection', path.slice(0, start), search, company)
  return place(id === 'count' ? 'count' : 'item', path, search, company, decode(id))
}

function place(kind, path, search, company, id) {
  return { kind, path, search, company, id }
}

function decode(segment) {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return ''
  }
}

function answer(method, { kind, path, search, company, id }) {
  if (kind === 'nowhere') return answers.nowhere(path)
  if (method !== 'GET')
    return answers.refuse(method, allowed[kind === 'collection' ? kind : 'item'])
  if (kind === 'item') return answers.read(id, company)
  return kind === 'count' ? answers.count() : list(path, search)
}

function list(path, search) {
  let sort
  let limit
  for (let start = 0; start < search.length; ) {
    const mark = search.indexOf('&', start)
    const end = mark < 0 ? search.length : mark
    if (search.startsWith('sort=', start)) sort = decode(search.slice(start + 5, end))
    else if (search.startsWith('limit=', start)) limit = search.slice(start + 6, end)
    else return answers.refuseParameter(search.slice(start, end))
    start = end + 1
  }
  return answers.list(path, sort, limit)
}

const maxBody = 1_048_576

function receive(request, response, place) {
  const chunks = []
  let length = 0
  request.on('data', (chunk) => {
    length += chunk.length
    if (length > maxBody) request.destroy()
    chunks.push(chunk)
  })
  request.on('end', () => {
    const bytes = chunks.length === 1 ? chunks[0] : Buffer.concat(chunks)
    const { method, headers } = request
    send(response, write(bytes.toString(), headers['content-type'], { method, place }))
  })
}

function write(text, type, { method, place }) {
  if (!type?.startsWith('application/json')) return answers.refuseBody()
  try {
    const body = JSON.parse(text)
    return method === 'PUT' ? answers.replaceAll(body) : answers.create(place.path, body)
  } catch {
    return answers.refuseBody()
  }
}
