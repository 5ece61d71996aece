import { defineApi, defineRegistry, defineResource, problem } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'

const notes = defineResource('notes', { schema: z.object({ id: z.string() }) })
const registry = defineRegistry(defineApi({ v1: { '/notes': notes } }))
  .context(({ headers }) => {
    if (headers?.authorization !== 'Bearer "x"') throw problem('unauthenticated')
    return {}
  })
  .adapters({ notes: memoryAdapter() })

const exampleUsers = async () => ({ '<b>Ada</b>': 'Bearer "x"', Eve: 'Bearer y' })
const rows: readonly (readonly [authorization: string, options: object, buttons: object])[] = [
  ['Bearer "x"', { exampleUsers }, []],
  ['', {}, []],
  [
    '',
    { exampleUsers },
    [
      'data-use="Bearer &quot;x&quot;">&lt;b&gt;Ada&lt;/b&gt;</button>',
      'data-use="Bearer y">Eve</button>',
    ],
  ],
]

test.each(rows)(
  'only a page of 401 offers users: %j %j',
  async (authorization, options, buttons) => {
    const fetch = toFetchHandler(registry, { layers: [explorer(registry, options)] })
    const headers = { accept: 'text/html', ...(authorization && { authorization }) }
    const page = await (await fetch(new Request('https://h/v1/notes', { headers }))).text()
    expect([...page.matchAll(/data-use=.*?<\/button>/g)].map(([text]) => text)).toStrictEqual(
      buttons,
    )
    const json = await (await fetch(new Request('https://h/v1/notes'))).text()
    expect(json).not.toContain('Bearer y')
  },
)
