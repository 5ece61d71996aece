// A registry of awkward resources: what forms and pages have to cope with.
import { z } from '../../node_modules/zod/index.js'
import { defineApi, defineRegistry, defineResource, problem } from '../../src/index.ts'
import { memoryAdapter } from '../../src/memory.ts'

export const hostile = [
  '<script>globalThis.broken = 1</script>',
  '"><img src=x onerror="globalThis.broken = 1">',
  "' onmouseover='globalThis.broken = 1",
  '</textarea></pre></title></details><script>globalThis.broken = 1</script>',
  'javascript:globalThis.broken=1',
  'https://evil.example/?x=<b>',
  '\u202Egpj.exe \u2066 reversed \u202E',
  'control \u0001\u0007\u001b[31m \u0085 end\r\nnext',
  `${'long '.repeat(2000)}`,
  'x'.repeat(10_000),
  '&lt;b&gt; &amp;amp; &#60;',
  '$' + '{7*7} {{7*7}} <%= 7*7 %>',
  ' \n leading and trailing \t',
]

const Thing = z.object({
  id: z.number().int(),
  title: z.string().min(1),
  color: z.enum(['red', 'green', '<b>blue</b>']),
  size: z.number().min(0).max(100).nullable(),
  tags: z.array(z.string()),
  address: z.object({ city: z.string().min(1), zip: z.string().optional() }).optional(),
  active: z.boolean().default(true),
  note: z.string().nullable().optional(),
  website: z.url().optional(),
  due: z.iso.datetime().optional(),
  version: z.number(),
})
const New = Thing.omit({ id: true, version: true })
const things = defineResource('things', {
  schema: Thing,
  create: New,
  id: z.coerce.number().int(),
  revision: 'version',
  sortable: ['title', 'color', 'size'],
  searchable: ['title', 'note'],
  filterable: ['title', 'color', 'size', 'active', 'due'],
  without: ['deleteAll'],
  maxLimit: 40,
})
const Text = z.object({ id: z.string(), text: z.string(), more: z.unknown().optional() })
const texts = defineResource('texts', {
  schema: Text,
  create: Text.omit({ id: true }),
  searchable: ['text'],
  sortable: ['text'],
})
// A stored value may be stranger than the schema allows.
const Leftover = z.looseObject({
  id: z.string(),
  text: z.string(),
  number: z.number(),
  list: z.array(z.unknown()).optional(),
  word: z.enum(['a', 'b', '']).nullable().optional(),
  day: z.iso.date().optional(),
})
const leftovers = defineResource('leftovers', {
  schema: Leftover,
  create: Leftover.omit({ id: true }),
  without: ['patch', 'patchMany'],
})
export const leftover = [
  {
    id: '1',
    text: 'a\r\nb\rc',
    number: 1e308,
    list: [[1, [2]], {}, null, 9007199254740992, 12345678901234567000],
    word: null,
    day: '2024-02-29',
    more: { deep: ['<b>'] },
  },
  { id: '2', text: '\n lead', number: 0.1, word: '' },
  { id: '3', text: 'x\ry', number: 1e21, list: [] },
  { id: '4' },
]
const logs = defineResource('logs', { schema: z.object({ id: z.string(), line: z.string() }) })
// A library that tells no JSON Schema.
const loose = { '~standard': { version: 1, vendor: 'none', validate: (value) => ({ value }) } }
const blobs = defineResource('blobs', { schema: loose })

// Values that are wider than a column.
const albums = defineResource('albums', {
  schema: z.object({
    id: z.string(),
    title: z.string(),
    tracks: z.array(z.string()),
    about: z.string(),
    credits: z.object({ by: z.array(z.string()), year: z.number() }),
    label: z.string(),
    tags: z.array(z.string()),
    lines: z.string(),
  }),
  searchable: ['title'],
})
const tracks = ['Overture', 'A long way from the harbor', 'Night train', 'Interlude', 'Coda']

// It takes fields that its form does not show, and tells whether it has changed.
const Page = z.looseObject({
  id: z.string(),
  title: z.string().min(1),
  lead: z.string(),
  version: z.number(),
})
const pages = defineResource('pages', {
  schema: Page,
  create: Page.omit({ id: true, version: true }),
  revision: 'version',
  without: ['patch', 'patchMany'],
})

// Its form sends what has changed.
const Draft = z.object({
  id: z.string(),
  title: z.string().min(1),
  email: z.email().optional(),
  about: z.string().nullable().optional(),
  color: z.enum(['red', 'green']).optional(),
  address: z.object({ city: z.string(), zip: z.string().optional() }).optional(),
  tags: z.array(z.string()),
  version: z.number(),
})
const drafts = defineResource('drafts', {
  schema: Draft,
  create: Draft.omit({ id: true, version: true }),
  revision: 'version',
})

// Its items have names, and no search.
const paints = defineResource('paints', {
  schema: z.object({ id: z.number().int(), name: z.string() }),
  id: z.coerce.number().int(),
  filterable: ['name'],
  countable: ['name'],
  maxLimit: 12,
})
const NewWall = z.object({ paint_id: z.number().int().nullable().optional() })
const walls = defineResource('walls', {
  schema: NewWall.extend({ id: z.string() }),
  create: NewWall,
  references: { paint_id: 'paints' },
})

// It can be emptied, but it has no count.
const bins = defineResource('bins', { schema: z.object({ id: z.string() }) })

export function oddRegistry() {
  const items = Array.from({ length: 130 }, (_, place) => ({
    id: place + 1,
    title: `Thing ${String(place + 1).padStart(3, '0')}`,
    color: ['red', 'green', '<b>blue</b>'][place % 3],
    size: place % 5 === 0 ? null : place % 101,
    tags: ['a', 'b'],
    active: place % 2 === 0,
    version: 1,
  }))
  const entries = [
    { id: '1', line: 'started' },
    { id: '2', line: 'stopped' },
  ]
  const stored = hostile.map((text, place) => ({ id: `h${place}`, text, more: { [text]: [text] } }))
  stored.push({ id: `" onclick='x' <b>&/?#%é😀`, text: 'hostile id' })
  return defineRegistry(
    defineApi({
      v1: {
        '/things': things,
        '/texts': texts,
        '/logs': logs,
        '/blobs': blobs,
        '/bins': bins,
        '/leftovers': leftovers,
        '/albums': albums,
        '/pages': pages,
        '/drafts': drafts,
        '/paints': paints,
        '/walls': walls,
      },
    }),
  ).adapters({
    things: memoryAdapter({ items }),
    texts: memoryAdapter({ items: stored }),
    leftovers: memoryAdapter({ items: leftover }),
    pages: memoryAdapter({
      unique: ['slug'],
      items: Array.from({ length: 7 }, (_, place) => ({
        id: `p${place}`,
        title: 'Title',
        lead: 'Lead',
        more: 'More',
        slug: `s${place}`,
        version: 1,
      })),
    }),
    albums: memoryAdapter({
      items: Array.from({ length: 8 }, (_, place) => ({
        id: `a${place}`,
        title: `Album ${place}`,
        tracks: tracks.slice(place % 3),
        about: 'A record of some sixty characters, long enough to be too wide.',
        credits: { by: ['Ann Lee', 'Bo Chen', 'Cleo Diaz'], year: 2001 + place },
        label: 'Harbor Recordings, Rotterdam',
        tags: place === 0 ? tracks.flatMap((track) => [track, track]) : ['jazz', 'live', 'solo'],
        lines: 'one\ntwo\nthree',
      })),
    }),
    drafts: memoryAdapter({
      items: Array.from({ length: 3 }, (_, place) => ({
        id: `d${place}`,
        title: `Draft ${place}`,
        email: 'a@b.example',
        about: 'Words',
        color: 'red',
        address: { city: 'Rome', zip: '00100' },
        tags: ['a', 'b'],
        version: 1,
      })),
    }),
    paints: memoryAdapter({
      items: Array.from({ length: 14 }, (_, place) => ({ id: place + 1, name: `Paint ${place}` })),
    }),
    walls: memoryAdapter({ items: [{ id: 'w1', paint_id: 3 }] }),
    logs: { list: () => entries, read: ({ id }) => entries.find((entry) => entry.id === id) },
    bins: { deleteAll: () => 3 },
    blobs: memoryAdapter({ items: [{ id: 'a', any: { deep: [1, 2] } }] }),
  })
}

export function guardedRegistry() {
  const notes = defineResource('notes', {
    schema: Text,
    create: Text.omit({ id: true }),
    searchable: ['text'],
    filterable: ['text'],
  })
  return defineRegistry(defineApi({ v1: { '/notes': notes } }))
    .context(({ headers }) => {
      if (headers?.authorization !== 'Bearer secret') throw problem('unauthenticated')
      return { isKnown: true }
    })
    .adapters({ notes: memoryAdapter({ items: [{ id: '1', text: 'guarded' }] }) })
}
