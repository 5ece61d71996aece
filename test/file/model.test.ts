import { describe, expect, test } from 'vitest'
import { type FileModel, readModel } from '../../src/file/model.ts'

const options = { id: 'id', ids: undefined } as const

function modelOf(file: unknown, changes: Partial<Parameters<typeof readModel>[1]> = {}): FileModel {
  const text = typeof file === 'string' ? file : JSON.stringify(file, undefined, 2)
  return readModel(Buffer.from(text), { ...options, ...changes })
}

function items(...ids: readonly unknown[]): readonly object[] {
  return ids.map((id) => (id === undefined ? { text: 'x' } : { id, text: 'x' }))
}

const uuid = '01a2060c-a754-729a-ac96-e0c4a393bceb'

describe('ids', () => {
  test.each([
    ['whole numbers', items(1, 7), 'number', [1, 7]],
    ['texts of digits', items('1', '7'), 'digits', ['1', '7']],
    ['texts with a leading zero', items('1', '07'), 'text', ['1', '07']],
    ['digits beyond a double', items('12345678901234567'), 'text', ['12345678901234567']],
    ['UUIDs', items(uuid), 'text', [uuid]],
    ['numbers and texts', items(1, 'a'), 'mixed', [1, 'a']],
    ['no ids', items(undefined, undefined), 'number', [1, 2]],
    ['some numbers', items(undefined, 4, null), 'number', [5, 4, 6]],
    ['some texts of digits', items('4', undefined), 'digits', ['4', '5']],
    ['nothing', [], 'text', []],
  ])('stay as they are: %s', (_, notes, kind, expected) => {
    const [collection] = modelOf({ notes }).collections
    expect(collection?.ids.kind).toBe(kind)
    expect(collection?.items.map(({ id }) => id)).toEqual(expected)
  })

  test.each([
    ['number', [], 'number'],
    ['uuid', items(undefined), 'text'],
    ['uuid', items(1), 'number'],
  ] as const)('are %s by choice where none are there', (ids, notes, kind) => {
    expect(modelOf({ notes }, { ids }).collections[0]?.ids.kind).toBe(kind)
  })

  test('that no path can hold are told', () => {
    const { notes } = modelOf({ notes: items('first', 'a', '..') })
    expect(notes).toEqual(['No path can hold these ids of "notes": "first", "..".'])
    const long = Array.from({ length: 6 }, (_, place) => `${place}${'x'.repeat(3000)}`)
    const shown = long.slice(0, 5).map((id) => `"${id.slice(0, 40)}…"`)
    expect(modelOf({ notes: items(...long) }).notes).toEqual([
      `No path can hold these ids of "notes": ${shown.join(', ')} and 1 more.`,
    ])
  })

  test.each([
    [{ _id: 'a' }, ' If "_id" is the id, stop, and add --id _id.'],
    [{ text: 'a' }, ''],
  ])('are counted where items have none: %j', (item, advice) => {
    const { notes } = modelOf({ notes: [item] })
    expect(notes).toEqual([`"notes" lacks "id" in 1 of 1 items: the next save writes it.${advice}`])
  })

  test('may have another name in the file', () => {
    const [collection] = modelOf({ notes: [{ text: 'x', _id: 'a' }] }, { id: '_id' }).collections
    expect(collection?.items).toEqual([{ text: 'x', id: 'a' }])
  })
})

describe('names', () => {
  test.each([
    [{ posts: [] }, [['posts', false, []]]],
    [
      { sheep: [], news: [] },
      [
        ['sheep', true, []],
        ['news', true, []],
      ],
    ],
    [
      { post: [] },
      [['post', true, ['"post" is taken for a plural. The usual name would be "posts"']]],
    ],
    [
      { profile: {} },
      [['profiles', false, ['"profile" is an object: its path is /profiles/profile.']]],
    ],
    [{ profile: { id: 7 } }, [['profiles', false, ['its path is /profiles/7.']]]],
    [
      { posts: [], post: {} },
      [
        ['posts', false, []],
        ['post', true, ['/post/post']],
      ],
    ],
    [
      { posts: [], tags: ['a'] },
      [['posts', false, ['"tags" is no collection, since tags/0 is no object, at line']]],
    ],
    [
      { posts: [], $schema: 'x', count: 3, $meta: {} },
      [['posts', false, ['"$meta" is no collection']]],
    ],
  ])('%j', (file, expected) => {
    const { collections, notes } = modelOf(file)
    expect(collections.map(({ noun, isPlural }) => [noun, isPlural])).toEqual(
      expected.map(([noun, isPlural]) => [noun, isPlural]),
    )
    const sentences = expected.flatMap(([, , texts]) => texts)
    expect(notes).toHaveLength(sentences.length)
    for (const [place, sentence] of sentences.entries()) expect(notes[place]).toContain(sentence)
  })
})

describe('a file is refused', () => {
  test.each([
    ['{ "posts": [ { "id": 1 }, ] }', 'line 1, column 27: expected a value'],
    ['{\n  "posts": [\n    { id: 1 }\n  ]\n}', 'line 3, column 7: expected a key in quotes'],
    ['{ "posts": [] } x', 'line 1, column 17: expected the end of the file'],
    ['', 'line 1, column 1: expected a value'],
    ['[]', 'it holds no object'],
    ['{}', 'it holds no collection: write one'],
    [
      '{ "posts": [{ "id": 1 },\n null] }',
      '"posts" is no collection, since posts/1 is no object, at line 2, column 2',
    ],
    ['{ "a": [],\n "a": [] }', '"a" stands twice: at line 1, column 3, and at line 2, column 2'],
    ['{ "first": [] }', 'line 1, column 3: "first" is a reserved word'],
    ['\ufeff{ "é": 1, "v2": [] }', 'line 1, column 11: "v2" looks like a version'],
    [
      '{ "notes": [], "note": {}, "Notes": [],\n"note": 2 }',
      '"note" stands twice: at line 1, column 16, and at line 2, column 1',
    ],
    ['{ "my posts": [] }', '"my posts" cannot be written in a path'],
    ['{ "getPosts": [] }', '"getPosts" starts with a verb'],
    [
      '{ "posts": [\n{ "id": 1 },\n{ "id": 2 },\n{ "id": "1" }] }',
      'posts/0 and posts/2 have the same id 1: at line 2, column 1, and at line 4, column 1',
    ],
    [
      '{ "posts": [{ "id": true }] }',
      'line 1, column 13: posts/0 has the id true: write a number or a text',
    ],
    [
      '{ "posts": [\n{ "id": 1234567890123456789 }] }',
      'line 2, column 9: a number cannot hold the id 1234567890123456789: write the ids as texts',
    ],
    [
      '{ "posts": [{ "id": 1, "n": [-1e999] }] }',
      'line 1, column 30: no client can read -1e999: write it as a text',
    ],
    ['{ "posts": [{ "id": "" }] }', 'posts/0 has the id "": write a number or a text'],
  ])('%s', (text, message) => {
    expect(() => modelOf(text)).toThrow(message)
  })

  test('of more than 512 MB', () => {
    expect(() => readModel(Buffer.alloc(2 ** 29), options)).toThrow('it has more than 512 MB')
  })

  test('that is not in UTF-8', () => {
    const bytes = Buffer.concat([Buffer.from('{\n"\ufffdé":"'), Buffer.from([0xff, 0x7d])])
    const fault = 'line 2, column 7: it is no text in UTF-8 from here on'
    expect(() => readModel(bytes, options)).toThrow(fault)
  })

  test('with "id" beside the id of another name', () => {
    expect(() => modelOf({ posts: [{ _id: 1, id: 2 }] }, { id: '_id' })).toThrow(
      'line 3, column 5: posts/0 has "id" beside "_id", its id: rename "id"',
    )
  })
})

describe('numbers', () => {
  test.each([
    ['9007199254740993', 'Clients get 9007199254740992 for 9007199254740993: write it as a text.'],
    ['1e100', undefined],
    ['9007199254740992', undefined],
    ['0.12345678901234567', undefined],
    ['"9007199254740993"', undefined],
  ])('that a client cannot hold are told: %s', (written, advice) => {
    const skipped = '"at": "1234567890123456", "$a": [-1, 22222]'
    const text = `{ ${skipped}, "n": 9007199254740993,
      "posts": [{ "id": 7 }, { "id": 1, "a": { "b": ${written} } },
      { "id": 2, "a": ${written} }],
      "profile": { "b": 1 } }`
    const note = `"a" of "posts", at line 2, column 53: ${advice}`
    expect(modelOf(text).notes.slice(1)).toEqual([
      '"profile" is an object: its path is /profiles/profile.',
      ...(advice === undefined ? [] : [note]),
    ])
  })

  test('of an object are told, too', () => {
    const { notes } = modelOf('{ "profile": { "b": 9007199254740993 } }')
    expect(notes[1]).toContain('"b" of "profile", at line 1, column 21: Clients get')
  })
})

describe('relations', () => {
  const people = [{ id: 1 }, { id: 2 }]
  test.each([
    ['postId', { posts: people }, 'posts', 'post'],
    ['post_id', { posts: people }, 'posts', 'post'],
    ['postID', { posts: people }, 'posts', 'post'],
    ['personId', { people }, 'people', 'person'],
    ['personId', { persons: people }, 'persons', 'person'],
    ['staffId', { staff: people }, 'staff', 'staff'],
    ['blogPostId', { 'blog-posts': people }, 'blog-posts', 'blogPost'],
    ['blog_post_id', { blogPosts: people }, 'blogPosts', 'blog_post'],
  ])('%s of %j', (field, targets, to, as) => {
    const { collections } = modelOf({ ...targets, notes: [{ id: 1, [field]: 1 }] })
    const notes = collections.find(({ noun }) => noun === 'notes')
    expect(notes?.relations).toEqual([{ field, to, as, written: undefined, dangling: 0 }])
  })

  test.each([
    ['a name without a collection', { id: 1, userId: 1 }],
    ['values that are no ids there', { id: 1, postId: 9 }],
    ['other values', { id: 1, postId: [1] }],
    ['a name that only ends alike', { id: 1, postid: 1, paid: 1 }],
  ])('are none for %s', (_, note) => {
    const { collections } = modelOf({ posts: people, notes: [note] })
    expect(collections[1]?.relations).toEqual([])
  })

  test('lead to their own collection too', () => {
    const { collections } = modelOf({ comments: [{ id: 1 }, { id: 2, commentId: 1 }] })
    expect(collections[0]?.relations).toMatchObject([{ field: 'commentId', to: 'comments' }])
  })

  test('take the type of the ids, and count what is the id of none', () => {
    const comments = [
      { id: 1, postId: '1' },
      { id: 2, postId: '2' },
      { id: 3, postId: '9' },
    ]
    const { collections, notes } = modelOf({ posts: people, comments })
    expect(collections[1]?.items.map((item) => Reflect.get(item, 'postId'))).toEqual([1, 2, 9])
    expect(collections[1]?.relations).toMatchObject([{ written: 'string', dangling: 1 }])
    expect(notes.join()).toContain('clients get the ids, the file keeps its form')
    expect(notes.join()).toContain(
      '"postId" of "comments" names no item of "posts" in 1 of 3 items.',
    )
  })

  test('have another member where the item has one of the name', () => {
    const { collections } = modelOf({ posts: people, notes: [{ id: 1, postId: 1, post: 'x' }] })
    expect(collections[1]?.relations).toMatchObject([{ as: 'post_item' }])
  })
})

test('a file of long numbers is read once, not once a number', { timeout: 5_000 }, () => {
  const posts = Array.from({ length: 20_000 }, (_, place) => ({
    id: place + 1,
    lat: 46.012345678901234 + place / 7,
  }))
  const long = JSON.stringify({ posts }).replaceAll('"lat"', '"n":12345678901234561,"lat"')
  const { notes } = readModel(Buffer.from(long.replaceAll('},', '},\n')), options)
  expect(notes).toHaveLength(1)
})
