import { type Kysely, sql } from 'kysely'
import {
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  defineView,
  type Registry,
} from 'nounful'
import { kyselyAdapter } from 'nounful/kysely'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import { createTables } from '../../examples/companies/tables.ts'
import { foldCase } from '../../src/contract/values/order.ts'
import { api as companiesApi } from './first-version.ts'
import { databaseOf, type Engine } from './stores.ts'

const created_at = '2026-01-02T03:04:05.000Z'
const onCreate = () => ({ created_at })

const NewGadget = z.strictObject({
  label: z.string(),
  note: z.string().nullable(),
  price: z.number().optional(),
  active: z.boolean().optional(),
  weight: z.number().nullable(),
  tags: z.array(z.json()).optional(),
  labels: z.array(z.string()).optional(),
  box: z
    .strictObject({
      city: z.string().nullable().optional(),
      floor: z.number().optional(),
      open: z.boolean().optional(),
    })
    .optional(),
})
const numberId = z.coerce.number().int()
const gadgets = defineResource('gadgets', {
  schema: NewGadget.extend({ id: numberId, revision: z.number() }),
  create: NewGadget,
  id: numberId,
  revision: 'revision',
  sortable: ['label', 'note', 'price', 'active', 'weight'],
  folded: ['note'],
  searchable: ['label', 'note'],
  // biome-ignore format: one list
  filterable: [
    'label', 'note', 'price', 'active', 'weight', 'labels', 'box.city', 'box.floor', 'box.open',
  ],
  countable: ['label', 'note', 'price', 'active', 'weight', 'id'],
})

const Part = z.strictObject({
  id: z.string(),
  name: z.string(),
  code: z.string().optional(),
  size: z.number().optional(),
  gadget_id: z.number().int().optional(),
})
const parts = defineResource('parts', {
  schema: Part,
  create: Part.partial({ id: true }),
  sortable: ['name', 'code', 'size', 'gadget_id'],
  searchable: ['name', 'code'],
  filterable: ['name', 'code', 'size', 'gadget_id'],
  countable: ['name', 'code', 'size', 'gadget_id'],
  references: { gadget_id: 'gadgets' },
  putCreates: true,
})

const Device = NewGadget.pick({ price: true, active: true, weight: true, labels: true }).extend({
  title: z.string(),
  remark: z.string().nullable(),
  city: z.string().nullable().optional(),
})
const devices = defineView('devices', gadgets, {
  schema: Device.extend({ id: numberId, tag: z.number() }),
  create: Device,
  id: numberId,
  fields: {
    title: 'label',
    remark: 'note',
    city: { in: 'box', field: 'city' },
    tag: 'revision',
  },
})
const Piece = Part.omit({ name: true, gadget_id: true }).extend({
  title: z.string(),
  device_id: z.number().int().optional(),
})
const pieces = defineView('pieces', parts, {
  schema: Piece,
  create: Piece.partial({ id: true }),
  fields: { title: 'name', device_id: 'gadget_id' },
})

/**
 * Resources beyond the companies: counted ids, numbers, booleans, JSON, versions, unique values. In
 * version 2, the same by other names.
 */
const gadgetsApi = defineApi({
  v1: { '/gadgets': gadgets, '/parts': parts, '/gadgets/:gadget_id/parts': parts },
  v2: { '/devices': devices, '/pieces': pieces, '/devices/:device_id/pieces': pieces },
})

// A part of size 2 keeps its code and stays; none is called "ß".
type StoredPart = z.infer<typeof Part>
const rules = {
  parts: {
    create: ({ name }: { readonly name: string }) => name !== 'ß',
    change: ({ size, code }: StoredPart, _: unknown, changed: StoredPart) =>
      size !== 2 || code === changed.code,
    delete: ({ size }: StoredPart) => size !== 2,
  },
}

/** The first items of every peer. */
export const firstItems = {
  companies: ['c-1', 'c-2', '1', 'a b', 'é'].map((id) => ({
    id,
    name: `Company ${id}`,
    created_at,
  })),
  employees: [
    { id: 'e-1', name: 'Ada', birthdate: '1990-01-01', company_id: 'c-1', created_at },
    { id: 'e-2', name: 'ADA', birthdate: '1990-01-02', company_id: 'c-1', created_at },
    { id: 'e-3', name: 'Straße', birthdate: '1990-01-01', company_id: 'c-2', created_at },
    { id: 'e-4', name: 'İ', birthdate: '1990-01-01', created_at },
  ],
  customers: [
    { id: 'k-1', name: 'a', company_id: 'c-1' },
    { id: 'K-2', name: 'B', company_id: 'c-1' },
    { id: 'k-3', name: 'b', company_id: 'c-2' },
  ],
  gadgets: [
    { id: 1, label: 'a', note: null, price: 0.1, weight: 1, revision: 1 },
    { id: 2, label: 'B', note: 'Straße', weight: null, revision: 1 },
    { id: 3, label: 'b', note: null, price: -1, weight: 2, revision: 1 },
  ],
  parts: [
    { id: 'p-1', name: 'a', size: 1, gadget_id: 1 },
    { id: 'P-2', name: 'B', size: 2, gadget_id: 2 },
    { id: 'p 3', name: 'b', gadget_id: 2 },
    { id: 'p-4', name: 'é', size: 1 },
  ],
}

/** A service that must give the same responses as all other peers. */
export interface Peer {
  readonly name: string
  readonly companies: Registry
  readonly gadgets: Registry
  /** Starts anew. */
  reset(): Promise<void>
  end(): Promise<void>
}

/** Ids for each resource that begin at n-1. */
function counters() {
  const last = { companies: 0, employees: 0, customers: 0, parts: 0 }
  const next = (kind: keyof typeof last) => () => {
    last[kind] += 1
    return `n-${last[kind]}`
  }
  const reset = () =>
    void Object.assign(last, { companies: 0, employees: 0, customers: 0, parts: 0 })
  return { next, reset }
}

/** The reference, in memory; new each time. */
export function memoryPeer(): Peer {
  const { next } = counters()
  const { companies: items, employees, customers, parts } = firstItems
  const companies: AdapterFor<typeof companiesApi, 'companies'> = memoryAdapter({
    items,
    onCreate,
    nextId: next('companies'),
  })
  const owners: AdapterFor<typeof gadgetsApi, 'gadgets'> = memoryAdapter({
    items: firstItems.gadgets,
  })
  return {
    name: 'memory',
    companies: defineRegistry(companiesApi).adapters({
      companies,
      employees: memoryAdapter({
        items: employees,
        onCreate,
        nextId: next('employees'),
      }),
      customers: memoryAdapter({ items: customers, nextId: next('customers') }),
    }),
    gadgets: defineRegistry(gadgetsApi, { defaultVersion: 'v1' })
      .rules(rules)
      .adapters({
        gadgets: owners,
        parts: memoryAdapter({
          items: parts,
          unique: ['code'],
          nextId: next('parts'),
        }),
      }),
    reset: async () => undefined,
    end: async () => undefined,
  }
}

// The test compares responses; the time of a busy machine does not count.
const timeout = 60_000
const options = { limits: { time: 2 * timeout } }

interface Types {
  readonly text: string
  readonly long: string
  readonly count: string
  readonly double: string
  readonly json: string
  /** Has `gadgets` count on from the first ones. */
  readonly recount: string
}

const exact = 'character set utf8mb4 collate utf8mb4_nopad_bin'
const types: Readonly<Record<Engine, Types>> = {
  sqlite: {
    text: 'text',
    long: 'text',
    count: 'integer primary key autoincrement',
    double: 'real',
    json: 'json',
    recount: "update sqlite_sequence set seq = 3 where name = 'gadgets'",
  },
  postgres: {
    text: 'text collate "C"',
    long: 'text',
    count: 'integer generated by default as identity primary key',
    double: 'double precision',
    json: 'jsonb',
    recount: 'alter sequence gadgets_id_seq restart with 4',
  },
  mariadb: {
    text: `varchar(255) ${exact}`,
    long: `longtext ${exact}`,
    count: 'integer auto_increment primary key',
    double: 'double',
    json: 'json',
    recount: 'alter table gadgets auto_increment = 1',
  },
}

/** One on a database of its own. */
export async function peerOn(engine: Engine): Promise<Peer> {
  const { db, drop } = await databaseOf<unknown>(engine)
  await createTables({ db, textType: async () => types[engine].text })
  for (const table of tablesFor(types[engine])) await sql.raw(table).execute(db)
  const { next, reset } = counters()
  return {
    name: engine,
    companies: defineRegistry(companiesApi, options).adapters({
      companies: kyselyAdapter(db, {
        table: 'companies',
        timeout,
        onCreate,
        nextId: next('companies'),
      }),
      employees: kyselyAdapter(db, {
        table: 'employees',
        timeout,
        onCreate,
        nextId: next('employees'),
      }),
      customers: kyselyAdapter(db, { table: 'customers', timeout, nextId: next('customers') }),
    }),
    gadgets: defineRegistry(gadgetsApi, { ...options, defaultVersion: 'v1' })
      .rules(rules)
      .adapters({
        gadgets: kyselyAdapter(db, {
          table: 'gadgets',
          timeout,
          folded: { note: 'note_folded' },
        }),
        parts: kyselyAdapter(db, { table: 'parts', timeout, nextId: next('parts') }),
      }),
    reset: async () => {
      reset()
      await fill(db.withTables<Record<string, object>>())
      await sql.raw(types[engine].recount).execute(db)
    },
    end: drop,
  }
}

function tablesFor({ text, long, count, double, json }: Types): readonly string[] {
  return [
    `create table gadgets (
      id ${count}, label ${long} not null, note ${long}, price ${double}, active boolean,
      weight ${double}, tags ${json}, labels ${json}, box ${json}, revision integer,
      note_folded ${long})`,
    `create table parts (
      id ${text} primary key, name ${long} not null, code ${text} unique, size ${double},
      gadget_id integer, foreign key (gadget_id) references gadgets (id))`,
  ]
}

async function fill(db: Kysely<Record<string, object>>): Promise<void> {
  for (const table of ['parts', 'gadgets', 'customers', 'employees', 'companies']) {
    await db.deleteFrom(table).execute()
  }
  for (const [table, items] of Object.entries(firstItems)) {
    const rows = items.map((item) =>
      'note' in item ? { ...item, note_folded: item.note && foldCase(item.note) } : item,
    )
    await db.insertInto(table).values(rows).execute()
  }
}
