import { defineApi, defineRegistry, handle, type Registry, type Resource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import type { Fields } from './generated-views.ts'

/** Serves a view of things as v1, and the things themselves as v2. */
export function serviceOf(v1: Resource, v2?: Resource, items: readonly object[] = []): Registry {
  const versions = v2 ? { v1: { '/things': v1 }, v2: { '/things': v2 } } : { v1: { '/things': v1 } }
  const api = Reflect.apply(defineApi, null, [versions])
  return Reflect.apply(defineRegistry(api, { defaultVersion: 'v1' } as object).adapters, null, [
    { [v1.base.name]: memoryAdapter({ items } as never) },
  ])
}

/** Sends a request. */
export async function ask(registry: Registry, line: string, sent?: unknown) {
  const [method = '', url = ''] = line.split(' ')
  const body = sent === undefined ? {} : { body: JSON.stringify(sent) }
  const headers = { 'content-type': 'application/json' }
  return handle({ method, url, headers, ...body }, registry)
}

/** Returns an item without some of its fields. */
export const without = (item: unknown, ...names: string[]): Fields =>
  Object.fromEntries(Object.entries(Object(item)).filter(([field]) => !names.includes(field)))
