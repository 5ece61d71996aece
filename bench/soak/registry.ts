import { setTimeout as pause } from 'node:timers/promises'
import { type AdapterFor, defineApi, defineRegistry, defineResource, type Registry } from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import { companies, customers } from '../../examples/companies/contract.ts'
import { employees } from '../../test/support/first-version.ts'

const text = z.string()
// As many fields as a client may sort by at once.
const Sheet = z.object({
  ...{ id: text, a: text, b: text, c: text, d: text, e: text, f: text, g: text, h: text },
})
const columns = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const
const Event = z.object({ id: z.int(), text })
const Stall = z.object({ id: text })
const Letter = z.object({ id: text, text: text.optional(), pages: z.unknown().optional() })

const api = defineApi({
  v1: {
    '/employees': employees,
    '/companies': companies,
    '/companies/:company_id/customers': customers,
    '/companies/:company_id/employees': employees,
    // All that a client can sort by, over many items.
    '/sheets': defineResource('sheets', {
      ...{ schema: Sheet, sortable: columns, searchable: columns },
    }),
    // A list of 50 MB, item by item.
    '/events': defineResource('events', { schema: Event, id: z.coerce.number() }),
    // Takes any JSON, and keeps one item.
    '/letters': defineResource('letters', { schema: Letter, create: Letter.omit({ id: true }) }),
    // Takes 200 milliseconds for an item, and for ever for a list.
    '/stalls': defineResource('stalls', { schema: Stall }),
  },
})

/** Streams that have begun and are not closed yet. */
export const openStreams = new Set<object>()

const eventCount = 50_000
const eventText = 'x'.repeat(1000)

const events: AdapterFor<typeof api, 'events'> = {
  async *list({ query }) {
    const token = {}
    openStreams.add(token)
    try {
      const start = Number(query.after?.id ?? 0) + 1
      for (let id = start; id <= eventCount; id++) yield { id, text: eventText }
    } finally {
      openStreams.delete(token)
    }
  },
  count: () => eventCount,
}

const stalls: AdapterFor<typeof api, 'stalls'> = {
  list: () => new Promise(() => undefined),
  read: ({ id }) => pause(200, { id }),
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

/** Makes a registry over items in memory: so many employees, and as many sheets. */
export function registryOf(items = 100): Registry {
  const created_at = '2026-01-02T03:04:05.000Z'
  const onCreate = () => ({ created_at })
  const numbers = Array.from({ length: items }, (_, at) => at + 1)
  const people = numbers.map((number) => ({
    ...{ id: `e-${number}`, name: `Ada ${number}`, birthdate: '1988-12-10', created_at },
    ...(number % 2 === 0 && { company_id: `c-${(number % 10) + 1}` }),
  }))
  const owners = Array.from({ length: 10 }, (_, at) => {
    return { id: `c-${at + 1}`, name: `Acme ${at + 1}`, created_at }
  })
  return defineRegistry(api).adapters({
    companies: memoryAdapter({ items: owners, onCreate }),
    employees: memoryAdapter({ items: people, onCreate }),
    customers: memoryAdapter(),
    sheets: memoryAdapter({ items: numbers.map(sheetOf) }),
    ...{ events, letters, stalls },
  })
}

// All the same but for the last field, so that sorting compares all of them.
function sheetOf(number: number): z.infer<typeof Sheet> {
  const same = 'the same words in every sheet there is, as long as a line of text is'
  const h = `${(number * 7919) % 10_007}`
  return { id: `s-${number}`, a: same, b: same, c: same, d: same, e: same, f: same, g: same, h }
}
