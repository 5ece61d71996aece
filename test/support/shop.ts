import {
  defineApi,
  defineRegistry,
  defineResource,
  everything,
  type HttpRequest,
  problem,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'

const Line = z.strictObject({
  sku: z.uuid(),
  amount: z.int().min(1).max(99),
  gift: z.object({ to: z.string().min(1), by: z.iso.date() }).optional(),
})
const Card = z.object({ kind: z.literal('card'), digits: z.string().length(4) })
const Transfer = z.object({ kind: z.literal('transfer'), iban: z.string().min(15) })
const order = {
  status: z.enum(['open', 'paid', 'sent']),
  lines: z.array(Line).min(1).max(3),
  total: z.number().min(0).multipleOf(0.01),
  payment: z.discriminatedUnion('kind', [Card, Transfer]).nullish(),
  delivery: z.union([z.object({ street: z.string() }), z.object({ box: z.int() })]).optional(),
  tags: z.array(z.string()).max(2).optional(),
  due: z.iso.datetime().nullish(),
  size: z.literal(1).optional(),
}
const customer = {
  name: z.string().min(1).max(50),
  email: z.email(),
  site: z.url().nullish(),
  born: z.iso.date().optional(),
  code: z
    .string()
    .regex(/^[A-Z]{2}\d{3}$/, 'must be two capitals and three digits, as in AB123')
    .optional(),
  nick: z
    .string()
    .min(2)
    .refine((nick) => nick !== 'admin', 'is reserved for the shop')
    .optional(),
  active: z.boolean().optional(),
}
const shop_id = z.string()

const customers = defineResource('customers', {
  schema: z.object({
    ...{ id: z.string(), shop_id, ...customer, credit: z.number().optional() },
    ...{ created_at: z.string(), version: z.int() },
  }),
  create: z.strictObject({ id: z.string().optional(), ...customer, credit: z.number().optional() }),
  update: z.strictObject({ ...customer, credit: z.number().optional() }),
  ownedBy: ['shop_id'],
  restricted: ['credit'],
  readOnly: ['created_at'],
  revision: 'version',
  sortable: ['name', 'born', 'credit'],
  searchable: ['name'],
  filterable: ['email', 'born', 'active', 'credit'],
  maxLimit: 100,
  bounded: true,
})
const orders = defineResource('orders', {
  schema: z.object({ id: z.string(), shop_id, customer_id: z.string(), ...order }),
  create: z.object({ id: z.uuid().optional(), customer_id: z.string(), ...order }),
  update: z.object({ customer_id: z.string(), ...order }),
  ownedBy: ['shop_id'],
  references: { customer_id: 'customers' },
  filterable: ['status', 'total'],
  sortable: ['total'],
  idempotent: true,
})
const countries = defineResource('countries', {
  schema: z.object({ id: z.string(), name: z.string() }),
  without: ['create', 'update', 'updateMany', 'patch', 'patchMany', 'delete', 'deleteAll'],
  ownedBy: [],
})
const api = defineApi(
  {
    v2: {
      '/customers': customers,
      '/customers/:customer_id/orders': orders,
      '/orders': orders,
      '/countries': countries,
    },
  },
  { retired: { v1: { since: '2026-01-31', successor: 'v2' } } },
)

/** The callers, by the token that they send. */
const callers = new Map([
  ['ann', { shop: 'north', isManager: false }],
  ['max', { shop: 'north', isManager: true }],
  ['eve', { shop: 'south', isManager: true }],
  ['all', { shop: undefined, isManager: true }],
])

function callerOf({ headers = {} }: HttpRequest) {
  const token = /^Bearer (\w+)$/.exec(`${headers.authorization}`)?.[1] ?? ''
  if (token === 'quick') throw problem('rate_limited')
  if (token === 'broken') throw new Error('The look-up of callers failed.')
  if (token === 'late') throw problem('unavailable')
  return callers.get(token)
}

const created = { created_at: '2026-01-01T00:00:00Z', version: 4 }
const acme = { id: 'acme', shop_id: 'north', name: 'Acme', email: 'a@acme.example', credit: 7 }
const lines = [{ sku: '7b0a4f0e-4bb2-4c3a-9a3c-1f6a2f0d9b11', amount: 1 }]
const paid = { shop_id: 'north', customer_id: 'acme', status: 'paid' as const, lines, total: 9.5 }

/** A shop whose callers own customers and orders, to read its problems aloud. */
export function shopRegistry() {
  const limits = { body: 4000, depth: 6, bulk: 3, target: 600 }
  return defineRegistry(api, { limits, defaultVersion: 'v2', requestId: () => 'r-1' })
    .context(callerOf)
    .scope(({ shop }) => (shop === undefined ? everything : { shop_id: shop }))
    .reveal(({ isManager }) => (isManager ? { customers: ['credit'] } : {}))
    .use(({ kind }, { isManager }, next) => {
      if (kind === 'deleteAll' && !isManager) throw problem('forbidden')
      return next()
    })
    .onError(() => undefined)
    .adapters({
      customers: memoryAdapter({
        items: [
          { ...acme, ...created },
          { ...acme, ...created, id: 'globex', name: 'Globex', email: 'g@globex.example' },
          { ...acme, ...created, id: 'hidden', shop_id: 'south', email: 'h@hidden.example' },
        ],
        unique: ['email'],
        onCreate: () => ({ created_at: '2026-02-01T00:00:00Z' }),
      }),
      orders: memoryAdapter({
        items: [
          { id: 'o1', ...paid },
          { id: 'o2', ...paid, shop_id: 'south', customer_id: 'hidden' },
        ],
      }),
      countries: memoryAdapter({ items: [{ id: 'ch', name: 'Switzerland' }] }),
    })
}
