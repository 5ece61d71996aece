/**
 * The first data. Their ids sort before those of new items, which follow the order of creation. An
 * id that comes from an `Idempotency-Key` follows no order.
 */
export const companies = [
  { id: '001', name: 'Acme Instruments', created_at: '2024-02-05T09:12:44.000Z' },
  { id: '002', name: 'Globex Shipping', created_at: '2024-06-17T14:03:10.000Z' },
  { id: '003', name: 'Umbra Films', created_at: '2025-01-20T08:30:00.000Z' },
]

export const employees = [
  {
    id: '001',
    name: 'Ada Moreau',
    birthdate: '1988-12-10',
    email: 'ada.moreau@acme.example',
    company_id: '001',
    created_at: '2024-02-06T08:00:00.000Z',
  },
  {
    id: '002',
    name: 'Ben Okafor',
    birthdate: '1979-06-23',
    email: 'ben.okafor@acme.example',
    company_id: '001',
    created_at: '2024-02-06T08:05:00.000Z',
  },
  {
    id: '003',
    name: 'Chloé Lindqvist',
    birthdate: '1993-03-30',
    company_id: '001',
    created_at: '2024-05-13T10:41:09.000Z',
  },
  {
    id: '004',
    name: 'Dmitri Haas',
    birthdate: '1985-09-02',
    email: 'd.haas@globex.example',
    company_id: '002',
    created_at: '2024-06-18T07:55:31.000Z',
  },
  {
    id: '005',
    name: 'Emi Tanaka',
    birthdate: '1990-01-31',
    email: 'emi.tanaka@globex.example',
    company_id: '002',
    created_at: '2024-09-02T12:20:00.000Z',
  },
  {
    id: '006',
    name: 'Farid Nasser',
    birthdate: '1996-07-14',
    created_at: '2025-03-11T16:45:12.000Z',
  },
]

/** The employees as version 2 has them. */
export const employees_v2 = employees.map(({ name, ...others }) => ({
  ...others,
  full_name: name,
  status: 'active' as const,
  phone: null,
}))

export const customers = [
  {
    id: '001',
    name: 'Harbor Observatory',
    email: 'orders@harbor.example',
    company_id: '001',
  },
  { id: '002', name: 'Northlight Clinic', company_id: '001' },
  {
    id: '003',
    name: 'Pomelo Foods',
    email: 'logistics@pomelo.example',
    company_id: '002',
  },
]
