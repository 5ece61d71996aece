import {
  defineApi,
  defineRegistry,
  defineResource,
  isProblem,
  type Operation,
  problem,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const Note = z.object({ id: z.string(), text: z.string(), done: z.boolean().optional() })
const Line = z.object({ id: z.string(), note_id: z.string(), text: z.string() })

const notes = defineResource('notes', {
  schema: Note,
  create: Note.omit({ id: true }),
  sortable: ['text'],
  searchable: ['text'],
})
const lines = defineResource('lines', {
  schema: Line,
  create: Line.omit({ id: true, note_id: true }),
})

export const api = defineApi({ v1: { '/notes': notes, '/notes/:note_id/lines': lines } })

export const registry = defineRegistry(api)
  .context((request) => ({ user: request.headers?.authorization }))
  .use((operation: Operation, { user }, next) => {
    if (user === undefined && operation.kind !== 'list') throw problem('unauthenticated')
    return next()
  })
  .onError((error) => {
    if (isProblem(error)) return
  })
  .adapters({ notes: memoryAdapter(), lines: memoryAdapter({ unique: ['text'] }) })
