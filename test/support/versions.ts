import { defineApi, defineResource, defineView } from 'nounful'
import { z } from 'zod'

const text = z.string()
const states = ['active', 'left', 'archived'] as const

/** As it is stored, and as v3 shows it. */
const Person = z.strictObject({
  id: text,
  company_id: text.optional(),
  first_name: text,
  last_name: text,
  state: z.enum(states),
  address: z.strictObject({ street: text.optional(), city: text.optional() }),
  country: text.optional(),
  cents: z.int().min(0),
  email: z.email('is no address').nullable(),
  heading: text.max(20),
  revision: z.int(),
  created_at: text,
})

const people = defineResource('people', {
  schema: Person,
  plural: true,
  create: Person.omit({ id: true, revision: true, created_at: true }),
  readOnly: ['created_at'],
  revision: 'revision',
  sortable: ['heading', 'cents', 'created_at'],
  searchable: ['first_name', 'last_name', 'heading'],
  filterable: ['heading', 'state', 'cents', 'company_id', 'country'],
  references: { company_id: 'companies' },
})

const PersonV2 = z.strictObject({
  id: text,
  firm_id: text.optional(),
  name: text,
  status: z.enum(['here', 'gone']),
  city: text.optional(),
  country: text,
  price: text.regex(/^\d+\.\d\d$/),
  fax: z.null(),
  headline: text,
  tag: z.int(),
  created_at: text,
})

const people_v2 = defineView('people_v2', people, {
  schema: PersonV2,
  plural: true,
  create: PersonV2.omit({ id: true, tag: true, created_at: true }),
  readOnly: ['created_at'],
  revision: 'tag',
  sortable: ['headline', 'created_at'],
  searchable: ['name', 'headline'],
  filterable: ['headline', 'status', 'firm_id', 'country'],
  references: { firm_id: 'firms' },
  fields: {
    firm_id: 'company_id',
    name: { join: ['first_name', 'last_name'], split: 'last' },
    status: { of: 'state', values: { active: 'here', left: 'gone', archived: 'gone' } },
    city: { in: 'address', field: 'city' },
    country: { of: 'country', absent: 'US' },
    price: {
      of: 'cents',
      read: (cents) => (cents / 100).toFixed(2),
      write: (price) => Math.round(Number(price) * 100),
    },
    fax: { always: null },
    headline: 'heading',
    tag: 'revision',
  },
  hidden: { email: null },
})

/** As a client of v1 sees it: a view of a view. */
const PersonV1 = z.strictObject({
  id: text,
  firm_id: text.optional(),
  given: text,
  family: text,
  present: z.boolean(),
  label: text,
  tag: z.int(),
  created_at: text,
})

const people_v1 = defineView('people_v1', people_v2, {
  schema: PersonV1,
  plural: true,
  create: PersonV1.omit({ id: true, tag: true, created_at: true }),
  readOnly: ['created_at'],
  revision: 'tag',
  sortable: ['label', 'created_at'],
  searchable: ['given', 'family', 'label'],
  filterable: ['label', 'present', 'firm_id'],
  fields: {
    given: { part: 0, of: 'name', split: 'last' },
    family: { part: 1, of: 'name', split: 'last' },
    present: { of: 'status', values: { here: true, gone: false } },
    label: 'headline',
  },
  hidden: { country: 'US', price: '0.00', fax: null },
})

const Company = z.strictObject({ id: text, title: text, plan: text })
const companies = defineResource('companies', {
  schema: Company,
  create: Company.partial({ id: true }),
  sortable: ['title'],
})
const Firm = z.strictObject({ id: text, name: text })
const firms = defineView('firms', companies, {
  schema: Firm,
  create: Firm.partial({ id: true }),
  sortable: ['name'],
  fields: { name: 'title' },
  hidden: { plan: 'free' },
})

/** Three versions over two tables. */
export const api = defineApi({
  v1: { '/people': people_v1, '/firms': firms, '/firms/:firm_id/people': people_v1 },
  v2: { '/people': people_v2, '/firms': firms, '/firms/:firm_id/people': people_v2 },
  v3: {
    '/people': people,
    '/companies': companies,
    '/companies/:company_id/people': people,
  },
})

/** The fields that only the storage and v3 have. */
export const namesOfBase = Object.keys(Person.shape).filter(
  (name) => !(name in PersonV1.shape) && !(name in PersonV2.shape),
)
