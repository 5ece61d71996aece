import { expect, test } from 'vitest'
import { contractText, schemaText } from '../../src/project/contract-text.ts'
import type { ValueType } from '../../src/project/model.ts'
import { field, resource } from './fields.ts'

const text: ValueType = { kind: 'text' }

test('each resource has a schema, its options and its advice', () => {
  const written = contractText({
    title: 'blog',
    resources: [
      resource(
        'posts',
        [
          field('title', { kind: 'text', maxLength: 200 }),
          field('state', text, { inBody: 'optional', comment: 'One of: draft, public' }),
          field('created_at', { kind: 'moment' }, { inBody: 'refused' }),
          field('first-name', text, { isNullable: true, isOptional: true }),
        ],
        { sortable: ['title'], searchable: ['title'], advice: ['Sorting by "title" is slow.'] },
      ),
      resource('blog-comments', [field('post_id', { kind: 'whole' })], {
        id: { kind: 'uuid', inBody: 'optional' },
        references: [{ field: 'post_id', to: 'posts', as: 'parent' }],
        ownedBy: ['post_id'],
        without: ['deleteAll'],
      }),
      resource('staff', [], { isPlural: true, offers: ['list', 'read'], ownedBy: [] }),
    ],
    mounts: [{ path: '/posts/:post_id/blog-comments', noun: 'blog-comments' }],
  })
  expect(written).toBe(`import { defineApi, defineResource } from 'nounful'
import { z } from 'zod'

const Post = z.strictObject({
  id: z.int(),
  title: z.string().max(200),
  // One of: draft, public
  state: z.string(),
  created_at: z.iso.datetime({ offset: true }),
  'first-name': z.string().nullish(),
})
const NewPost = Post.omit({ id: true, created_at: true }).partial({ state: true })

// Sorting by "title" is slow.
export const posts = defineResource('posts', {
  schema: Post,
  create: NewPost,
  id: z.coerce.number().pipe(z.int()),
  readOnly: ['created_at'],
  filled: ['state'],
  sortable: ['title'],
  searchable: ['title'],
})

const BlogComment = z.strictObject({
  id: z.uuid(),
  post_id: z.int(),
})
const NewBlogComment = BlogComment.partial({ id: true })

export const blogComments = defineResource('blog-comments', {
  schema: BlogComment,
  create: NewBlogComment,
  id: z.uuid(),
  ownedBy: ['post_id'],
  references: { post_id: { to: 'posts', as: 'parent' } },
  without: ['deleteAll'],
})

const Staff = z.strictObject({
  id: z.int(),
})

export const staff = defineResource('staff', {
  schema: Staff,
  id: z.coerce.number().pipe(z.int()),
  plural: true,
  ownedBy: [],
  offers: ['list', 'read'],
})

export const api = defineApi({
  v1: {
    '/posts/:post_id/blog-comments': blogComments,
  },
})
`)
})

test('a long line becomes one line for each value', () => {
  const values = Array.from({ length: 9 }, (_, place) => `the-value-${place}`)
  const fields = values.map((name) => field(name, text, { inBody: 'refused' }))
  const written = contractText({
    title: 'long',
    resources: [
      resource('things', [field('kind', { kind: 'enumeration', values }), ...fields], {
        sortable: values,
        advice: [`${'word '.repeat(25)}end`],
      }),
    ],
    mounts: [],
  })
  const list = (indent: string) => values.map((value) => `${indent}'${value}',\n`).join('')
  expect(written).toContain(`const ThingKind = z.enum([\n${list('  ')}])\n`)
  expect(written).toContain('  kind: ThingKind,\n')
  expect(written).toContain(`  sortable: [\n${list('    ')}  ],\n`)
  expect(written).toMatch(/Thing\.omit\(\{\n {2}id: true,\n {2}'the-value-0': true,\n/)
  expect(written).toContain('word word\n// word')
  expect(written.split('\n').filter((line) => line.length > 100)).toEqual([])
})

test('no two names of code are the same, and none is a word of the language', () => {
  const nouns = ['classes', 'new-posts', 'posts', 'blogPosts', 'blog_posts', 'apis', 'api']
  const written = contractText({
    title: 'names',
    resources: nouns.map((noun) => resource(noun, [], { isPlural: noun === 'api' })),
    mounts: nouns.map((noun) => ({ path: `/${noun}`, noun })),
  })
  const names = [...written.matchAll(/const (\w+)/g)].map(([, name]) => name)
  expect(names.toSorted()).toEqual([...new Set(names)].toSorted())
  expect(written).toContain("'/api': api2,")
})

test.each<[ValueType, string]>([
  [{ kind: 'decimal', scale: 2 }, 'z.string().regex(/^-?\\d+(\\.\\d{1,2})?$/)'],
  [{ kind: 'decimal', scale: 0 }, 'z.string().regex(/^-?\\d+$/)'],
  [{ kind: 'enumeration', values: ["it's", 'a"b', '\\'] }, `z.enum(["it's", 'a"b', '\\\\'])`],
  [{ kind: 'list', element: { kind: 'uuid' } }, 'z.array(z.uuid())'],
  [{ kind: 'union', members: [text, { kind: 'number' }] }, 'z.union([z.string(), z.number()])'],
])('writes the schema of %j', (type, expected) => {
  expect(schemaText(type)).toBe(expected)
})
