import { type AdapterFor, defineApi, defineRegistry, defineResource } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { serve } from 'nounful/node'
import { z } from 'zod'
import { companies } from '../../examples/companies/contract.ts'
import { employees } from '../../test/support/first-version.ts'
import { answers } from '../support/process.ts'

// The service that `loop` sends its requests to: with many items, since few would not show what
// sorting and searching cost.

const text = z.string()
// As many fields as a client may sort by at once.
const Sheet = z.object({
  ...{ id: text, a: text, b: text, c: text, d: text, e: text, f: text, g: text, h: text },
})
const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
const Event = z.object({ id: z.int(), text })
const Letter = z.object({ id: text, text: text.optional(), pages: z.unknown().optional() })

const api = defineApi({
  v1: {
    '/employees': employees,
    '/companies': companies,
    '/companies/:company_id/employees': employees,
    // All that a client can sort by, over many items.
    '/sheets': defineResource('sheets', {
      ...{ schema: Sheet, sortable: columns, searchable: columns },
    }),
    // A list of 50 MB, item by item.
    '/events': defineResource('events', { schema: Event, id: z.coerce.number() }),
    // Takes any JSON, and keeps one item.
    '/letters': defineResource('letters', { schema: Letter, create: Letter.omit({ id: true }) }),
  },
})

const eventCount = 50_000
const eventText = 'x'.repeat(1000)

const events: AdapterFor<typeof api, 'events'> = {
  async *list({ query }) {
    const start = Number(query.after?.id ?? 0) + 1
    for (let id = start; id <= eventCount; id++) yield { id, text: eventText }
  },
  count: () => eventCount,
}

let letter: z.infer<typeof Letter> | undefined
const letters: AdapterFor<typeof api, 'letters'> = {
  read: () => letter,
  create({ item }) {
    letter = { ...item, id: 'l-1' }
    return letter
  },
  updateMany: ({ items }) => items,
}

const created_at = '2026-01-02T03:04:05.000Z'
const onCreate = () => ({ created_at })
const numbers = Array.from({ length: 10_000 }, (_, place) => place + 1)
const people = numbers.map((number) => {
  return { id: `e-${number}`, name: `Ada ${number}`, birthdate: '1988-12-10', created_at }
})
// All the same but for the last field, so that sorting compares all of them.
const same = 'the same words in every sheet there is, as long as a line of text is'
const sheets = numbers.map((number) => ({
  ...{ id: `s-${number}`, a: same, b: same, c: same, d: same, e: same, f: same, g: same },
  h: `${(number * 7919) % 10_007}`,
}))
const registry = defineRegistry(api).adapters({
  companies: memoryAdapter({ onCreate }),
  employees: memoryAdapter({ items: people, onCreate }),
  sheets: memoryAdapter({ items: sheets }),
  ...{ events, letters },
})
const { port } = await serve(registry, { port: 0 })
answers({ ready: () => port })
