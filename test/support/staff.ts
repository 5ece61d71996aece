import { defineApi, defineRegistry, defineResource, type HttpRequest, handle } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const Worker = z.object({
  id: z.string(),
  name: z.string(),
  note: z.string().nullable().optional(),
  boss_id: z.string().nullable().optional(),
  friend_id: z.string().nullable().optional(),
  salary: z.string().nullable().optional(),
  rev: z.number(),
})
const NewWorker = Worker.omit({ rev: true }).partial({ id: true })

/** Workers whose `salary` and `boss_id` only some callers see. */
const workers = defineResource('workers', {
  schema: Worker,
  create: NewWorker,
  update: NewWorker.refine(({ name, salary }) => name !== 'poor' || salary === '1', {
    path: ['salary'],
  }),
  sortable: ['name', 'salary'],
  searchable: ['name', 'salary'],
  filterable: ['name', 'salary'],
  references: { boss_id: 'workers', friend_id: 'workers' },
  restricted: ['salary', 'boss_id'],
  revision: 'rev',
})

/** The workers at the top. */
export const staff = defineApi({ v1: { '/workers': workers } })

/** The items to start with. */
export const workerItems = [
  { id: 'a', name: 'ann', salary: '1', rev: 1 },
  { id: 'b', name: 'bob', salary: '2', boss_id: 'a', friend_id: 'a', rev: 1 },
] as const

/** The storage of the workers. */
export function workersInMemory(items: readonly object[] = workerItems) {
  return memoryAdapter<never>({ items: items as never }) as object
}

/** A registry whose callers name the fields that they see in a header. */
export function staffWith(workers: object, errors: unknown[] = []) {
  return defineRegistry(staff)
    .context(({ headers = {} }) => String(headers['x-sees'] ?? ''))
    .reveal((sees) => (sees === '' ? {} : { workers: sees.split(',') as 'salary'[] }))
    .onError((error) => void errors.push(error))
    .adapters({ workers } as never)
}

/** Sends a request of a caller who sees the fields, and gives status and body. */
export async function sent(
  registry: ReturnType<typeof staffWith>,
  line: string,
  { body, sees = '' }: { readonly body?: unknown; readonly sees?: string } = {},
) {
  const [method = '', url = ''] = line.split(' ')
  const type = 'application/json'
  const request: HttpRequest =
    body === undefined
      ? { method, url, headers: { 'x-sees': sees } }
      : {
          method,
          url,
          headers: { 'x-sees': sees, 'content-type': type },
          body: JSON.stringify(body),
        }
  return await handle(request, registry)
}
