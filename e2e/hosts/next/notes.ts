import {
  type AdaptersOf,
  defineApi,
  defineResource,
  type Middleware,
  operations,
  problem,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const Note = z.object({ id: z.string(), text: z.string().min(1) })

export const api = defineApi({
  v1: {
    '/notes': defineResource('notes', {
      schema: Note,
      create: Note.partial({ id: true }),
      sortable: ['text'],
      searchable: ['text'],
    }),
    '/readings': defineResource('readings', {
      schema: z.object({ id: z.string(), celsius: z.number() }),
    }),
    '/users': defineResource('users', {
      schema: z.object({ id: z.string(), mayWrite: z.boolean() }),
    }),
  },
})

export interface User {
  readonly id: string
  readonly mayWrite: boolean
}

const users = new Map<string, User>([
  ['Bearer ann', { id: 'ann', mayWrite: true }],
  ['Bearer bob', { id: 'bob', mayWrite: false }],
])

/** Whom a request comes from, as a host finds out: yours has a way of its own. */
export function userOf(authorization: string | null | undefined): User | undefined {
  return users.get(authorization ?? '')
}

export const writersOnly: Middleware<User> = (operation, { mayWrite }, next) => {
  if (operations[operation.kind].method !== 'GET' && !mayWrite) throw problem('forbidden')
  return next()
}

// More than anybody wants to hold at once.
const many = 1_000_000

export const adapters: AdaptersOf<typeof api, User> = {
  notes: memoryAdapter({
    items: [
      { id: '1', text: 'Buy milk' },
      { id: '2', text: 'Call Bob' },
    ],
    unique: ['text'],
  }),
  readings: {
    async *list() {
      let given = 0
      try {
        for (; given < many; given++) yield { id: `${given}`, celsius: given % 40 }
      } finally {
        if (given < many) console.log('A list was given up')
      }
    },
    read({ id }) {
      if (id === 'broken') throw new Error('The sensor is broken')
      if (id === 'busy') throw problem('unavailable', undefined, { retryAfter: 5 })
      if (id === 'asked') throw problem('rate_limited', undefined, { retryAfter: 5 })
      return null
    },
  },
  users: {
    list: (_, user) => [user],
  },
}
