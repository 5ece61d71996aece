import { Kysely } from 'kysely'
import type { Registry } from 'nounful'
import { type FetchHandler, toFetchHandler } from 'nounful/fetch'
import { type D1Database, d1Dialect } from 'nounful/kysely'
import { storedIn } from '../service/stored.ts'

let serving: Promise<FetchHandler> | undefined

async function open(database: D1Database): Promise<FetchHandler> {
  const registry: Registry = await storedIn(new Kysely({ dialect: d1Dialect(database) }))
  return toFetchHandler(registry)
}

// A Worker receives its bindings with its first request.
export default {
  async fetch(request: Request, { DB }: { readonly DB: D1Database }): Promise<Response> {
    serving ??= open(DB)
    const handler = await serving
    return handler(request)
  },
}
