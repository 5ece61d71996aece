import {
  chmodSync,
  existsSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { createTestFile, openTestFile } from '../support/served-file.ts'

const posts = [
  { id: 1, title: 'a' },
  { id: 2, title: 'b' },
]
const comments = [
  { id: 1, postId: 1, text: 'x' },
  { id: 2, postId: 9, text: 'y' },
]

function idsIn(text: string): readonly unknown[] {
  return JSON.parse(text).posts.map(({ id }: { id: unknown }) => id)
}

describe('a write', () => {
  test.each<readonly [string, unknown, number, readonly unknown[]]>([
    ['POST /posts', { title: 'c' }, 201, [1, 2, 3]],
    ['POST /posts', { id: 7, title: 'c' }, 201, [1, 2, 7]],
    ['POST /posts', { id: 2, title: 'c' }, 409, [1, 2]],
    ['POST /posts', { id: 'x', title: 'c' }, 422, [1, 2]],
    ['POST /posts', [{ title: 'c' }, { title: 'd' }], 201, [1, 2, 3, 4]],
    ['PUT /posts/2', { title: 'c' }, 200, [1, 2]],
    [
      'PUT /posts',
      [
        { id: 2, title: 'c' },
        { id: 1, title: 'd' },
      ],
      200,
      [1, 2],
    ],
    ['PATCH /posts/2', { title: 'c' }, 200, [1, 2]],
    ['PATCH /posts', [{ id: 2, title: 'c' }], 200, [1, 2]],
    ['POST /posts', { new: { a: [1] } }, 201, [1, 2, 3]],
    ['PUT /posts/2', { new: 1 }, 200, [1, 2]],
    ['PATCH /posts/2', { new: 1, title: null }, 200, [1, 2]],
    ['DELETE /posts/2', undefined, 200, [1]],
    ['DELETE /posts/7', undefined, 404, [1, 2]],
    ['DELETE /posts', undefined, 200, []],
    ['GET /posts/07', undefined, 404, [1, 2]],
    ['POST /posts?dry_run=true', { title: 'c' }, 200, [1, 2]],
  ])('is in the file when it is answered: %s %j', async (line, body, status, ids) => {
    const file = createTestFile({ posts })
    const { send } = await openTestFile(file)
    expect((await send(line, body)).status).toBe(status)
    expect(idsIn(file.read())).toEqual(ids)
    const { body: items } = await send('GET /posts')
    expect(items).toEqual(JSON.parse(file.read()).posts)
  })

  test.each<readonly [query: string, most: number, verdict: unknown, left: readonly unknown[]]>([
    ['title=a', 1, { deleted: 1 }, [2]],
    ['title=a&title=b', 1, 'too_many_affected', [1, 2]],
    ['q=B', 2, { deleted: 1 }, [1]],
    ['title:ne=a&dry_run=true', 2, { deleted: 1 }, [1, 2]],
    ['id:ne=9', 2, { deleted: 2 }, []],
    ['zzz=1', 2, 'unknown_parameter', [1, 2]],
  ])('of DELETE is in the file: %s', async (query, most, verdict, left) => {
    const file = createTestFile({ posts })
    const { send } = await openTestFile(file)
    const headers = { prefer: `max-affected=${most}` }
    const { body } = await send(`DELETE /posts?${query}`, undefined, headers)
    expect(Object(body).code ?? body).toEqual(verdict)
    expect(idsIn(file.read())).toEqual(left)
  })

  test('of DELETE by a related field keeps relations', async () => {
    const file = createTestFile({ posts, comments })
    const { send } = await openTestFile(file)
    const headers = { prefer: 'max-affected=2' }
    const kept = await send('DELETE /posts?title=a', undefined, headers)
    expect(kept.status).toBe(409)
    const gone = await send('DELETE /comments?post.title=a', undefined, headers)
    expect(gone.body).toEqual({ deleted: 1 })
    expect(JSON.parse(file.read())).toEqual({ posts, comments: comments.slice(1) })
  })

  test.each<readonly [string, unknown, number, string]>([
    ['DELETE /posts/1', undefined, 409, 'comments/1 references this item by "postId"'],
    ['DELETE /posts', undefined, 409, 'comments/1 references this item by "postId"'],
    ['POST /comments', { postId: 9 }, 422, 'no post "9"'],
    ['PATCH /comments/1', { postId: 9 }, 422, 'no post "9"'],
    ['PUT /comments/1', { postId: 9 }, 422, 'no post "9"'],
    ['POST /posts/9/comments', { text: 'z' }, 404, ''],
  ])('keeps relations: %s %j', async (line, body, status, detail) => {
    const file = createTestFile({ posts, comments })
    const before = file.read()
    const { send } = await openTestFile(file)
    const response = await send(line, body)
    expect(response.status).toBe(status)
    expect(JSON.stringify(response.body)).toContain(detail.replaceAll('"', '\\"'))
    expect(file.read()).toBe(before)
  })

  test.each<readonly [string, unknown, number]>([
    ['DELETE /posts/2', undefined, 200],
    ['PATCH /comments/2', { text: 'z' }, 200],
    ['PUT /comments/2', { postId: 9, text: 'z' }, 200],
    ['PATCH /comments/1', { postId: '2' }, 200],
    ['POST /posts/2/comments', { text: 'z' }, 201],
    ['DELETE /posts/1/comments', undefined, 200],
  ])('is free where no relation breaks: %s %j', async (line, body, status) => {
    const { send } = await openTestFile(createTestFile({ posts, comments }))
    expect((await send(line, body)).status).toBe(status)
  })

  test('shares a save with those that arrive during another', async () => {
    const file = createTestFile({ posts })
    const { send } = await openTestFile(file, { isWatched: false })
    const writes = Array.from({ length: 50 }, (_, place) =>
      send('POST /posts', { title: `${place}` }),
    )
    const inodes = new Set<number>()
    const watching = setInterval(() => inodes.add(statSync(file.path).ino), 0)
    const responses = await Promise.all(writes)
    clearInterval(watching)
    expect(responses.every(({ status }) => status === 201)).toBe(true)
    expect(idsIn(file.read())).toHaveLength(52)
    expect(inodes.size).toBeLessThan(10)
  })

  test('stores any fields, of any type', async () => {
    const file = createTestFile({ posts })
    const { send } = await openTestFile(file)
    await send('PUT /posts/2', { new: 1, title: 5 })
    await send('PATCH /posts/1', { new: { a: [1] }, title: 'c' })
    await send('PATCH /posts/1', { title: null })
    expect(JSON.parse(file.read()).posts).toEqual([
      { id: 1, new: { a: [1] } },
      { id: 2, new: 1, title: 5 },
    ])
    expect((await send('GET /posts/2')).body).toEqual({ id: 2, new: 1, title: 5 })
  })

  test('keeps the mode, and leaves no other file', async () => {
    const file = createTestFile({ posts })
    chmodSync(file.path, 0o640)
    const { send } = await openTestFile(file)
    await send('POST /posts', {})
    expect(statSync(file.path).mode & 0o777).toBe(0o640)
    expect(readdirSync(file.folder)).toEqual(['db.json'])
  })

  test('goes to the file that a link leads to', async () => {
    const file = createTestFile({ posts })
    const link = join(file.folder, 'link.json')
    symlinkSync(file.path, link)
    const { send } = await openTestFile({ ...file, path: link })
    await send('POST /posts', {})
    expect(idsIn(file.read())).toEqual([1, 2, 3])
    expect(existsSync(link)).toBe(true)
  })

  test('is 405 where the file is read-only', async () => {
    const { send } = await openTestFile(createTestFile({ posts, comments }), { isReadOnly: true })
    expect((await send('POST /posts', {})).headers.allow).toBe('GET, HEAD, OPTIONS')
    expect((await send('GET /posts/1/comments')).status).toBe(200)
  })

  test('has the fields and types of the file where it is strict', async () => {
    const { send } = await openTestFile(createTestFile({ posts }), { isStrict: true })
    expect((await send('POST /posts', { title: 1, x: 1 })).body).toMatchObject({
      issues: [{ pointer: '/title' }, { pointer: '/x' }],
    })
    expect((await send('POST /posts', {})).status).toBe(422)
    expect((await send('PUT /posts/1', { title: 'c' })).status).toBe(200)
  })

  const rich = [
    { id: 1, author: { name: 'Ada', age: 36 }, tags: ['red', null], none: [], names: byLetter(17) },
    { id: 2, author: { name: null }, tags: ['red', 'blue'], none: [], names: byLetter(1) },
    { id: 3, author: null, tags: [], none: [], names: byLetter(1) },
  ]

  test.each<readonly [query: string, verdict: unknown]>([
    ['tags:has=red', [1, 2]],
    ['tags:has=blue&tags:has=green', [2]],
    ['author.name=Ada', [1]],
    ['author.age:gte=36', [1]],
    ['author.name:contains=d', [1]],
    ['author.name:null=true', [2, 3]],
    ['none:has=a', 'unknown_parameter'],
    // As many names as in a table.
    ['names.a=1', 'unknown_parameter'],
    ['author.zip=1', 'unknown_parameter'],
    ['tags=red', 'unknown_parameter'],
    ['author.age=old', 'bad_parameter'],
  ])('filters lists and members of objects: %s', async (query, verdict) => {
    const { send } = await openTestFile(createTestFile({ posts: rich }))
    const { body } = await send(`GET /posts?${query}`)
    const found: unknown = Object(body).code ?? (body as { id: number }[]).map(({ id }) => id)
    expect(found).toEqual(verdict)
  })

  test.each<readonly [item: object, pointers: readonly string[]]>([
    [{ tags: ['a', null], author: { name: 'x', age: 1.5, zip: 'any' } }, []],
    [{ tags: ['a', 1, true], author: { name: 1, age: 'x' } }, [1, 2, 'name', 'age'].map(nestedIn)],
    [{ tags: {}, author: [1] }, ['/tags', '/author']],
    [{ tags: [], author: null, none: [1], names: { a: 'x' } }, []],
  ])('is strict in lists and objects: %j', async (item, pointers) => {
    const { send } = await openTestFile(createTestFile({ posts: rich }), { isStrict: true })
    const { body } = await send('POST /posts', { none: [], names: {}, ...item })
    const issues: readonly { readonly pointer: string }[] = Object(body).issues ?? []
    expect(issues.map(({ pointer }) => pointer)).toEqual(pointers)
  })

  test('never gets the id of a deleted item', async () => {
    const file = createTestFile({ posts })
    const { send } = await openTestFile(file)
    await send('DELETE /posts/2')
    file.write(JSON.stringify({ posts: [{ id: 1 }] }))
    await vi.waitFor(async () => expect((await send('GET /posts')).body).toEqual([{ id: 1 }]))
    expect((await send('POST /posts', {})).body).toEqual({ id: 3 })
  })
})

function byLetter(count: number): object {
  const letters = Array.from({ length: count }, (_, place) => (10 + place).toString(36))
  return Object.fromEntries(letters.map((letter) => [letter, 1]))
}

function nestedIn(segment: string | number): string {
  return typeof segment === 'number' ? `/tags/${segment}` : `/author/${segment}`
}

describe('a save of another process', () => {
  async function openLocked(pid: string) {
    const file = createTestFile({ posts })
    const lock = join(file.folder, '.db.json.nounful-lock')
    writeFileSync(lock, pid)
    return { file, lock, ...(await openTestFile(file, { isWatched: false })) }
  }

  test('ends before the next one begins', async () => {
    const { file, lock, send } = await openLocked(String(process.pid))
    const response = send('POST /posts', { title: 'c' })
    await pause(50)
    expect(idsIn(file.read())).toEqual([1, 2])
    rmSync(lock)
    expect((await response).status).toBe(201)
    expect(idsIn(file.read())).toEqual([1, 2, 3])
  })

  test.each([
    ['a process that has gone', '999999999', 0],
    ['a process that has its number from another', String(process.pid), 61_000],
    ['a process that was killed before it wrote its number', '', 501],
  ])('by %s is over', async (_, pid, age) => {
    const { file, lock, send } = await openLocked(pid)
    const written = new Date(Date.now() - age)
    utimesSync(lock, written, written)
    expect((await send('POST /posts', { title: 'c' })).status).toBe(201)
    expect(readdirSync(file.folder)).toEqual(['db.json'])
  })

  test('that takes longer than a second makes a write 503', async () => {
    const { file, send } = await openLocked(String(process.pid))
    expect((await send('POST /posts', { title: 'c' })).status).toBe(503)
    expect(idsIn(file.read())).toEqual([1, 2])
    expect((await send('GET /posts/3')).status).toBe(404)
  })
})

describe('a change by another program', () => {
  test('is served, and its lost write is 503', async () => {
    const file = createTestFile({ posts })
    const { send, notices } = await openTestFile(file, { isWatched: false })
    file.write(JSON.stringify({ posts: [{ id: 5 }], tags: [{ id: 1 }] }))
    const response = await send('POST /posts', { title: 'lost' })
    expect([response.status, response.headers['retry-after']]).toEqual([503, '1'])
    expect(notices).toEqual(['The file has changed: its new content is served.'])
    expect(idsIn(file.read())).toEqual([5])
    expect((await send('GET /tags')).body).toEqual([{ id: 1 }])
    expect((await send('POST /posts', {})).body).toEqual({ id: 6 })
  })

  test.each([
    ['in place', ({ write }, text) => write(text)],
    [
      'by another file in its place',
      ({ folder, path }, text) => {
        writeFileSync(join(folder, 'new'), text)
        renameSync(join(folder, 'new'), path)
      },
    ],
    [
      'after it was gone',
      ({ path, write }, text) => {
        rmSync(path)
        write(text)
      },
    ],
  ] satisfies readonly [string, (file: ReturnType<typeof createTestFile>, text: string) => void][])(
    'is seen %s',
    async (_, change) => {
      const file = createTestFile({ posts })
      const { send } = await openTestFile(file)
      change(file, JSON.stringify({ posts: [{ id: 5 }] }))
      await vi.waitFor(async () => expect((await send('GET /posts')).body).toEqual([{ id: 5 }]))
    },
  )

  test('that is not valid leaves the content before it', async () => {
    const file = createTestFile({ posts })
    const { send, notices } = await openTestFile(file)
    file.write('{ "posts": [ }')
    await vi.waitFor(() => expect(notices).toHaveLength(1))
    expect(notices[0]).toContain('line 1, column 14: expected a value or "]". The content before')
    expect((await send('POST /posts', { title: 'lost' })).status).toBe(503)
    expect((await send('GET /posts')).body).toEqual(posts)
    expect(file.read()).toBe('{ "posts": [ }')
    file.write(JSON.stringify({ posts: [{ id: 5 }] }))
    await vi.waitFor(async () => expect((await send('GET /posts')).body).toEqual([{ id: 5 }]))
    expect(notices).toHaveLength(2)
  })

  test('of the same length and moment is seen by the next write', async () => {
    const file = createTestFile({ posts })
    const { send } = await openTestFile(file, { isWatched: false })
    await send('PATCH /posts/1', { title: 'c' })
    file.write(file.read().replace('"c"', '"d"'))
    expect((await send('POST /posts', {})).status).toBe(503)
    expect((await send('GET /posts/1')).body).toEqual({ id: 1, title: 'd' })
  })

  test('is no own save', async () => {
    const { send, notices } = await openTestFile(createTestFile({ posts }))
    for (const title of ['c', 'd', 'e']) await send('POST /posts', { title })
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(notices).toEqual([])
  })

  test('repeats no sentence about the file', async () => {
    const file = createTestFile({ posts, profile: {} })
    const { send, notices } = await openTestFile(file)
    file.write(JSON.stringify({ posts: [{ id: 5 }], profile: {} }))
    await vi.waitFor(async () => expect((await send('GET /posts')).body).toEqual([{ id: 5 }]))
    expect(notices).toEqual([
      '"profile" is an object: its path is /profiles/profile.',
      'The file has changed: its new content is served.',
    ])
  })

  test('is never lost among many writes', async () => {
    const file = createTestFile({ posts, edits: [] })
    const { send } = await openTestFile(file)
    let isOver = false
    const write = async (): Promise<void> => {
      while (!isOver) await send('POST /posts', {})
    }
    const writing = [write(), write()]
    for (let edit = 0; edit < 40; edit++) {
      const content = JSON.parse(file.read())
      // An edit that a save had replaced would be missing here.
      expect(content.edits).toHaveLength(edit)
      content.edits.push({ id: edit })
      file.write(JSON.stringify(content))
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20))
    }
    isOver = true
    await Promise.all(writing)
  })

  test('that removes the file makes writes 503', async () => {
    const file = createTestFile({ posts })
    const { send } = await openTestFile(file)
    rmSync(file.path)
    expect((await send('POST /posts', {})).status).toBe(503)
    expect((await send('GET /posts')).body).toEqual(posts)
    expect(existsSync(file.path)).toBe(false)
  })
})

describe('a save that was cut off in place', () => {
  const saved = JSON.stringify({ posts: [{ id: 5 }] })
  test.each([
    ['before its first byte', '', [5]],
    ['in its middle', saved.slice(0, 9), [5]],
    ['at its end', saved, [5]],
    ['before it began', JSON.stringify({ posts: [{ id: 1 }, { id: 2 }] }), [1, 2]],
  ])('%s is completed', async (_, content, ids) => {
    const file = createTestFile(content)
    writeFileSync(`${file.path}.nounful-saved`, saved)
    await openTestFile(file)
    expect(idsIn(file.read())).toEqual(ids)
    expect(readdirSync(file.folder)).toEqual(['db.json'])
  })

  test('is for the author where the file is something else', async () => {
    const file = createTestFile('{ "posts": [ }')
    writeFileSync(`${file.path}.nounful-saved`, saved)
    await expect(openTestFile(file)).rejects.toThrow('db.json: it is damaged, and')
    expect(readdirSync(file.folder)).toEqual(['db.json', 'db.json.nounful-saved'])
  })
})
