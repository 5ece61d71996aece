const [ann, bob] = ['3f0c9a52-6f5b-4f0e-9c43-0d6f3c1f3c0b', '9a0c3a52-6f5b-4f0e-8c43-0d6f3c1f3c0c']
const nobody = '00000000-0000-4000-8000-000000000000'

function byDay(count: number): Readonly<Record<string, number>> {
  return Object.fromEntries(Array.from({ length: count }, (_, day) => [`day ${day}`, day]))
}

/** Files of many kinds. Each is served, and exported. */
export const files: Readonly<Record<string, object>> = {
  'numbers as ids, and an object': {
    posts: [
      { id: 1, title: 'A', views: 10, isPublic: true, created: '2026-01-02' },
      { title: 'b', id: 2, views: 2.5, isPublic: false, created: '2026-01-03' },
    ],
    comments: [
      { id: 1, body: 'x', postId: 1 },
      { id: 2, body: 'y', postId: 1 },
    ],
    profile: { name: 'typicode' },
  },
  'texts as ids': {
    users: [
      { id: 'ann', name: 'Ann', email: 'a@b.de', site: 'https://a.example/x?y' },
      { id: 'Bob', name: 'Bob', email: 'b@b.de', site: 'http://b.example' },
    ],
    posts: [{ id: 'p', userId: 'ann' }],
  },
  'UUIDs as ids': {
    users: [
      { id: ann, at: '2026-01-02T03:04:05.000Z', clock: '10:20:30' },
      { id: bob, at: '2025-01-02T03:04:05.120Z', clock: '23:00:00' },
    ],
    orders: [{ id: nobody, user_id: ann }],
  },
  'objects, lists and values of several types': {
    users: [
      {
        ...{ id: 1, name: 'x', address: { city: 'A', geo: { lat: 1.5 } }, tags: ['a', 'b'] },
        ...{ scores: [1, 2], mixed: [1, 'a', null], empty: [], object: {}, either: 5 },
      },
      {
        ...{ id: 2, name: 'y', address: { city: null, zip: '0123' }, tags: [null, 'b'] },
        ...{ scores: [], mixed: [], empty: [], object: {}, either: 'five' },
      },
    ],
  },
  'members of objects, and lists of each type': {
    books: [
      {
        ...{ id: 1, author: { name: 'Ada', age: 36, 'last name': 'L', constructor: 'c' } },
        ...{
          facts: { isOpen: true, price: 1.5, at: '2026-01-02', key: ann },
          marks: [true, false],
        },
        ...{ notes: [{ a: 1 }], byDay: byDay(1), codes: ['1', '2'] },
      },
      { id: 2, author: { name: null, age: 7 }, facts: { isOpen: false }, marks: [], codes: ['1'] },
      { id: 3, author: null, notes: [], byDay: byDay(17) },
    ],
    'book-authors': [{ id: 1, bookId: 1 }],
  },
  'odd names of fields and collections': {
    'blog-posts': [
      {
        ...{ id: 1, 'first-name': 'a', 'Two Words': 'b', 'a.b': 1, q: 'x', order: 5, sort: 'y' },
        ...{ ID: 7, Order: 8, '1': 'one', "it's": 'q', 'say "x"': 2, größe: 3 },
      },
    ],
    staff: [{ id: 1, select: 'a', from: 'b' }],
    orders: [{ id: 1, table: 'x' }],
  },
  'no items': { posts: [], tags: [{ id: 1 }] },
  'no ids': { logs: [{ text: 'a' }, { text: 'b' }] },
  'items that refer to their own kind, and to none': {
    folders: [
      { id: 1, name: 'r', folderId: null },
      { id: 2, name: 's', folderId: 1 },
      { id: 3, name: 't', folderId: 9 },
    ],
  },
  'references of another type': {
    posts: [{ id: 1 }, { id: 2 }],
    comments: [
      { id: 'a', postId: '1' },
      { id: 'b', postId: '7' },
    ],
  },
  'letters of all languages': {
    posts: [
      { id: 'é', t: '😀 ẞ "q" \\ \u0000 nul', u: 'Straße' },
      { id: 'a b', t: "it's; drop", u: 'STRASSE' },
      { id: '日本', t: '', u: 'z\u2028\n' },
    ],
  },
  'large and small numbers': {
    things: [
      { id: 3, n: 1e21, m: -0.1, k: 2 ** 60, l: 1e-7 },
      { id: -2, n: 5, m: 0, k: 1, l: 0 },
    ],
  },
  'fractions as ids': { things: [{ id: 1.5 }, { id: 20.25 }] },
  'two levels of parents': {
    users: [{ id: 1 }, { id: 2 }],
    posts: [
      { id: 1, userId: 1 },
      { id: 2, userId: 2 },
    ],
    comments: [
      { id: 1, postId: 2, userId: 1 },
      { id: 2, postId: 1, userId: 2 },
    ],
  },
  'fields in another order, missing and null': {
    books: [
      { id: 1, title: 'a', year: null, pages: 10 },
      { pages: 20, year: 1999, title: 'b', id: 2 },
      { year: 2000, id: 3, title: 'c' },
    ],
  },
  'names that differ in case, and names of members of all objects': {
    posts: [{ id: 1, constructor: 'a', hasOwnProperty: 1, toString: 'b' }],
    Posts: [{ id: 'x', postsId: 1, Title: 'A', title: 'B', TITLE: 'C' }],
    sqlite_things: [{ id: 1, valueOf: true }],
  },
}
