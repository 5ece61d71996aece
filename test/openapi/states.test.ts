import { Ajv2020 } from 'ajv/dist/2020.js'
import { defineApi, defineRegistry, defineResource, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { toOpenApi } from 'nounful/openapi'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { info } from './contracts.ts'

const Status = z.enum(['draft', 'published', 'archived'])
const Article = z.strictObject({ id: z.string(), status: Status.describe('The state.') })
const moves = { draft: ['published', 'archived'], published: ['archived'], archived: [] } as const
const articles = defineResource('articles', {
  schema: Article,
  create: Article.omit({ id: true }),
  states: { status: moves },
})
const memos = defineResource('memos', {
  schema: Article,
  create: z.strictObject({}),
  update: Article.omit({ id: true }),
  states: { status: moves },
})
const registry = defineRegistry(
  defineApi({ v1: { '/articles': articles, '/memos': memos } }),
).adapters({ articles: memoryAdapter(), memos: memoryAdapter() })
const { paths, components } = toOpenApi(registry, { info, methods: 'all' })
const schemas = Object(components.schemas)

describe('a field with states', () => {
  test('has its moves, in words and as data', () => {
    expect(schemas.Article.properties.status).toMatchObject({
      description:
        'The state. A new item is `draft`. `draft` can become `published` or `archived`. ' +
        '`published` can become `archived`. No state follows `archived`.',
      'x-nounful-states': { initial: 'draft', moves },
    })
  })

  test('need not be in a new item', () => {
    expect(schemas.NewArticle.required).toBeUndefined()
    expect(schemas.NewArticle.properties).toHaveProperty('status')
    expect(schemas.NewMemo.properties).toEqual({})
    expect(schemas.ArticleUpdate.required).toEqual(['status'])
  })

  test('is described by OPTIONS as the document says', async () => {
    const { body } = await handle({ method: 'OPTIONS', url: '/v1/articles' }, registry)
    const schema = { ...schemas.TargetDescription, additionalProperties: false }
    const validate = new Ajv2020({ strict: false }).compile(schema)
    expect([validate(body), validate.errors]).toEqual([true, null])
    expect(paths['/v1/articles']).toBeDefined()
  })
})

test('OPTIONS of an api without states tells none', () => {
  const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })
  const document = toOpenApi(defineApi({ v1: { '/notes': notes } }), { info, methods: 'all' })
  expect(JSON.stringify(document)).not.toContain('states')
})
