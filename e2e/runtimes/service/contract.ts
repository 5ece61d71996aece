import { defineApi, defineResource } from 'nounful'
import { z } from 'zod'
import { companies, customers } from '../../../examples/companies/contract.ts'
import { employees } from '../../../test/support/first-version.ts'

const NewNote = z.strictObject({
  id: z.string().optional(),
  text: z.string().min(1).max(1000),
  weight: z.number().optional(),
  done: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
})
const Note = NewNote.extend({ id: z.string(), revision: z.number() })

/** Adds to the example: a version, pages by default, ids from clients, values of every kind. */
const notes = defineResource('notes', {
  schema: Note,
  create: NewNote,
  readOnly: ['revision'],
  sortable: ['text', 'weight'],
  searchable: ['text'],
  revision: 'revision',
  defaultLimit: 3,
  maxLimit: 5,
})

const Tick = z.strictObject({
  id: z.string(),
  text: z.string().optional(),
  made: z.number().optional(),
  closed: z.number().optional(),
  aborted: z.number().optional(),
  waiting: z.number().optional(),
})

/** Lists that come item by item, and operations that take their time. */
const ticks = defineResource('ticks', {
  schema: Tick,
  create: z.strictObject({ text: z.string() }),
  update: z.strictObject({ text: z.string() }),
})

const failures = defineResource('failures', {
  schema: z.strictObject({ id: z.string() }),
  create: z.strictObject({ id: z.string() }),
})

export const api = defineApi({
  v1: {
    '/employees': employees,
    '/companies': companies,
    '/companies/:company_id/customers': customers,
    '/companies/:company_id/employees': employees,
    '/notes': notes,
    '/ticks': ticks,
    '/failures': failures,
  },
})
