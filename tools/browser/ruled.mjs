// A registry of resources whose callers may not do everything, and where a PUT creates.
import { z } from '../../node_modules/zod/index.js'
import { defineApi, defineRegistry, defineResource } from '../../src/index.ts'
import { memoryAdapter } from '../../src/memory.ts'

const Manual = z.object({
  id: z.string(),
  title: z.string().min(1),
  printed_at: z.iso.datetime({ offset: true }).optional(),
  revision: z.number(),
})
const manuals = defineResource('manuals', {
  schema: Manual,
  create: Manual.omit({ revision: true }),
  readOnly: ['revision'],
  revision: 'revision',
  putCreates: true,
  searchable: ['title'],
})
const Seal = z.object({ id: z.string(), name: z.string() })
const seals = defineResource('seals', {
  schema: Seal,
  create: Seal.omit({ id: true }),
  searchable: ['name'],
})
const passes = defineResource('passes', {
  schema: z.object({ id: z.string(), state: z.enum(['valid', 'void']) }),
  states: { state: { valid: ['void'], void: [] } },
})

/** Nobody names a seal "Forged", and nobody deletes one. */
export function ruledRegistry() {
  return defineRegistry(
    defineApi({ v1: { '/manuals': manuals, '/seals': seals, '/passes': passes } }),
  )
    .context(() => ({}))
    .rules({
      seals: {
        create: ({ name }) => name !== 'Forged',
        change: ({ name }, _, changed) => name !== 'Forged' && changed.name !== 'Forged',
        delete: () => false,
      },
    })
    .adapters({
      manuals: memoryAdapter({
        items: ['a', 'b'].map((id) => ({
          id,
          title: `Manual ${id}`,
          printed_at: '2026-05-22T10:00:30+02:00',
          revision: 1,
        })),
      }),
      seals: memoryAdapter({ items: [{ id: '1', name: 'Great Seal' }] }),
      passes: memoryAdapter({
        items: ['valid', 'void'].map((state) => ({ id: state, state })),
      }),
    })
}
