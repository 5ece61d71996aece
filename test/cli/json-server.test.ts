import { describe, expect, test } from 'vitest'
import { jsonServerDialect } from '../../src/cli/json-server.ts'
import { toFetchHandler } from '../../src/fetch.ts'
import type { ServedContent } from '../../src/file/open.ts'
import { createTestFile, openTestFile } from '../support/served-file.ts'

// The fixtures of json-server's own tests, of 0.17.4 and of 1.0.0-beta.15 (MIT).
const comments = [
  { id: 1, body: 'foo', published: true, postId: 1, userId: 1 },
  { id: 2, body: 'bar', published: false, postId: 1, userId: 2 },
  { id: 3, body: 'baz', published: false, postId: 2, userId: 1 },
  { id: 4, body: 'qux', published: true, postId: 2, userId: 2 },
  { id: 5, body: 'quux', published: false, postId: 2, userId: 1 },
]
const [post, secondPost] = [
  { id: 1, body: 'foo' },
  { id: 2, body: 'bar' },
]
const [user, secondUser] = [
  { id: 1, username: 'Jim', tel: '0123' },
  { id: 2, username: 'George', tel: '123' },
]
const tags = [
  { id: 1, body: 'Technology' },
  { id: 2, body: 'Photography' },
  { id: 3, body: 'photo' },
]
const buyers = [
  { id: 1, name: 'Aileen', country: 'Colombia', total: 100 },
  { id: 2, name: 'Daniel', country: 'Belize', total: 30 },
  { id: 3, name: 'Ellen', country: 'Belize', total: 20 },
]
const refs = [{ id: 'abcd-1234', url: 'http://example.com', postId: 1, userId: 1 }]
const nested = ['dewey', 'cheatem', 'howe'].map((name, place) => ({
  ...{ id: place + 1, resource: { name }, tags: [name, 'firm'] },
}))
const list = Array.from({ length: 15 }, (_, place) => ({ id: place + 1 }))
const file = {
  posts: [post, secondPost],
  tags,
  users: [user, secondUser],
  comments,
  buyers,
  refs,
  nested,
  stringIds: [{ id: '1234' }],
  list,
  object: { f1: 'foo' },
}

async function start() {
  const source = createTestFile(file)
  let fetchFrom: ((request: Request) => unknown) | undefined
  const onServed = ({ registry, collections }: ServedContent): void => {
    fetchFrom = toFetchHandler(registry, { layers: [jsonServerDialect(collections)] })
  }
  await openTestFile(source, { onServed })
  const send = async (line: string, item?: unknown): Promise<Response> => {
    const [method = '', url = ''] = line.split(' ')
    const headers = { 'content-type': 'application/json' }
    const body = item === undefined ? {} : { headers, body: JSON.stringify(item) }
    const request = new Request(`http://localhost${url}`, { method, ...body })
    request.headers.set('host', 'localhost')
    const response = await fetchFrom?.(request)
    if (!(response instanceof Response)) throw new Error('No response')
    return response
  }
  return { send, read: () => JSON.parse(source.read()) }
}

describe('json-server answers the same', () => {
  test.each<readonly [string, unknown]>([
    ['/posts', [post, secondPost]],
    ['/db', file],
    ['/comments?postId=1&published=true', [comments[0]]],
    ['/users?tel=123', [secondUser]],
    ['/comments?id=1&id=2', comments.slice(0, 2)],
    ['/tags?q=pho', tags.slice(1)],
    ['/tags?q=nope', []],
    ['/comments?q=qu&published=true', [comments[3]]],
    ['/comments?published=false', [comments[1], comments[2], comments[4]]],
    ['/tags?_sort=body', [tags[1], tags[0], tags[2]]],
    ['/tags?_sort=body&_order=DESC', [tags[2], tags[0], tags[1]]],
    ['/tags?_sort=-body', [tags[2], tags[0], tags[1]]],
    ['/posts?_sort=id&_order=DESC', [secondPost, post]],
    ['/buyers?_sort=country,total&_order=asc,desc', [buyers[1], buyers[2], buyers[0]]],
    ['/buyers?_sort=country,-total', [buyers[1], buyers[2], buyers[0]]],
    ['/buyers?total_gte=20&total_lte=30', buyers.slice(1)],
    ['/buyers?total:gt=20&total:lt=100', [buyers[1]]],
    ['/buyers?total_gt=20&total_lt=100', [buyers[1]]],
    ['/comments?id_ne=1', comments.slice(1)],
    ['/comments?id_ne=1&id_ne=2', comments.slice(2)],
    ['/comments?id:in=1,%202', comments.slice(0, 2)],
    ['/tags?body:eq=photo', [tags[2]]],
    ['/tags?body_like=photo', tags.slice(1)],
    ['/tags?body:startsWith=Pho', tags.slice(1)],
    ['/nested?resource.name=dewey', [nested[0]]],
    ['/nested?resource.name_like=E', nested],
    ['/nested?resource.name_ne=howe&resource.name_gte=d', [nested[0]]],
    ['/posts/1/comments', comments.slice(0, 2)],
    ['/posts/1', post],
    ['/refs/abcd-1234', refs[0]],
    ['/stringIds/1234', { id: '1234' }],
    ['/refs?_expand=post', [{ ...refs[0], post }]],
    ['/refs?_embed=post', [{ ...refs[0], post }]],
    ['/comments/1?_expand=post', { ...comments[0], post }],
    ['/refs?_expand=post&_expand=user', [{ ...refs[0], post, user }]],
    ['/comments/1?_expand=post&_expand=user', { ...comments[0], post, user }],
    ['/object', { f1: 'foo' }],
  ])('GET %s', async (url, expected) => {
    const { send } = await start()
    const response = await send(`GET ${url}`)
    expect([response.status, await response.json()]).toEqual([200, expected])
  })

  test.each<readonly [string, unknown, string]>([
    ['/comments?_end=2', comments.slice(0, 2), '5'],
    ['/comments?_start=1&_end=2', [comments[1]], '5'],
    ['/comments?_start=1&_limit=1', [comments[1]], '5'],
    ['/comments?_start=2&_end=2', [], '5'],
    ['/comments?_limit=2&published=false', [comments[1], comments[2]], '3'],
    ['/list?_page=2', list.slice(10), '15'],
    ['/list?_page=2&_limit=1', [list[1]], '15'],
    ['/list?_page=9', [], '15'],
  ])('GET %s, with the total', async (url, expected, total) => {
    const { send } = await start()
    const response = await send(`GET ${url}`)
    expect([response.headers.get('x-total-count'), await response.json()]).toEqual([
      total,
      expected,
    ])
  })

  test('pages have links', async () => {
    const { send } = await start()
    const { headers } = await send('GET /list?_page=2&_limit=1')
    expect(headers.get('link')).toBe(
      [
        '<http://localhost/list?_page=1&_limit=1>; rel="first"',
        '<http://localhost/list?_page=1&_limit=1>; rel="prev"',
        '<http://localhost/list?_page=3&_limit=1>; rel="next"',
        '<http://localhost/list?_page=15&_limit=1>; rel="last"',
      ].join(', '),
    )
    expect((await send('GET /comments?_limit=2')).headers.get('link')).toBeNull()
  })

  test.each([
    ['_page=1&_per_page=6', { first: 1, prev: null, next: 2, last: 3, pages: 3 }, list.slice(0, 6)],
    ['_page=3&_per_page=6', { first: 1, prev: 2, next: null, last: 3, pages: 3 }, list.slice(12)],
    ['_page=9&_per_page=6', { first: 1, prev: 2, next: null, last: 3, pages: 3 }, list.slice(12)],
    ['_per_page=20', { first: 1, prev: null, next: null, last: 1, pages: 1 }, list],
  ])('pages of version 1 have an envelope: %s', async (query, pages, data) => {
    const { send } = await start()
    const response = await send(`GET /list?${query}`)
    expect(await response.json()).toEqual({ ...pages, items: 15, data })
    expect(response.headers.get('link')).toBeNull()
  })

  test.each<readonly [string, unknown, number, unknown]>([
    ['POST /posts', { body: 'foo' }, 201, { id: 3, body: 'foo' }],
    ['POST /posts/1/comments', { body: 'foo' }, 201, { id: 6, postId: 1, body: 'foo' }],
    ['PUT /posts/1', { id: 1, booleanValue: true }, 200, { id: 1, booleanValue: true }],
    ['PUT /posts/9001', { body: 'bar' }, 404, undefined],
    ['PATCH /posts/1', { body: 'bar' }, 200, { id: 1, body: 'bar' }],
    ['PATCH /posts/9001', { body: 'bar' }, 404, undefined],
    ['DELETE /posts/9001', undefined, 404, undefined],
    ['PUT /object', { f2: 'bar' }, 200, { f2: 'bar' }],
    ['PATCH /object', { f2: 'bar' }, 200, { f1: 'foo', f2: 'bar' }],
    ['GET /object/1', undefined, 404, undefined],
    ['GET /posts/-1', undefined, 404, undefined],
    ['GET /not-found', undefined, 404, undefined],
  ])('%s %j', async (line, item, status, expected) => {
    const { send, read } = await start()
    const response = await send(line, item)
    expect(response.status).toBe(status)
    if (expected !== undefined) expect(await response.json()).toEqual(expected)
    if (line.includes('/object') && status === 200) expect(read().object).toEqual(expected)
  })
})

describe('json-server answers another way', () => {
  test.each<readonly [string, unknown, number, string]>([
    ['GET /posts?_embed=comments', undefined, 400, 'list its items at /posts/:id/comments'],
    ['GET /posts?_where={}', undefined, 400, 'write a parameter for each condition'],
    ['DELETE /posts/1?_dependent=comments', undefined, 400, 'delete the items that refer to this'],
    ['GET /comments?_start=1', undefined, 400, '"_start" needs "_end" or "_limit"'],
    ['GET /tags?body_like=p.*o', undefined, 400, 'write "body:contains"'],
    ['GET /nested?tags_like=firm', undefined, 400, 'Unknown parameter "tags_like"'],
    ['GET /comments?foo=1', undefined, 400, 'Unknown parameter "foo"'],
    ['DELETE /posts/1', undefined, 409, 'comments/1 references this item'],
    ['POST /posts/1', {}, 405, 'is not allowed here'],
    ['DELETE /object', undefined, 405, 'is not allowed here'],
    ['PATCH /posts/1', 'hello', 422, 'must be'],
  ])('%s %j', async (line, item, status, detail) => {
    const { send } = await start()
    const response = await send(line, item)
    expect(response.status).toBe(status)
    expect((await response.json()).detail).toContain(detail)
  })
})
