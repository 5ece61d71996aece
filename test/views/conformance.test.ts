import { defineResource, defineView } from 'nounful'
import { checksFor, type SpecimenAdapter, specimens } from 'nounful/conformance'
import { memoryAdapter } from 'nounful/memory'
import { describe, test } from 'vitest'
import { z } from 'zod'

const text = z.string()
const Stored = z.object({
  id: text,
  title: text,
  remark: text.optional(),
  level: z.number().optional(),
  isOn: z.boolean().optional(),
  data: z.unknown().optional(),
  labels: z.array(text).optional(),
  company_id: text.optional(),
  version: z.number().optional(),
})
const stored = defineResource('records', {
  schema: Stored,
  create: Stored.partial({ id: true }).omit({ version: true }),
  revision: 'version',
  sortable: ['id', 'title', 'remark', 'level', 'isOn'],
  searchable: ['title', 'remark'],
  filterable: ['id', 'title', 'remark', 'level', 'isOn', 'company_id'],
})
const plain = {
  name: 'title',
  note: 'remark',
  rank: 'level',
  flag: 'isOn',
  tags: 'labels',
  owner_id: 'company_id',
  revision: 'version',
}
const { schema, create, sortable, searchable } = specimens

// The checks ask as for a resource of their own.
const { view } = Reflect.apply(defineView, undefined, [
  'specimens_v1',
  stored,
  { schema, create, sortable, searchable, revision: 'revision', fields: plain },
])
const make = (): SpecimenAdapter => view.adapterOver(view, specimens, memoryAdapter())

describe('the adapter of a plain view', () => {
  for (const { name, run } of checksFor(make())) test(name, () => run(make))
})
