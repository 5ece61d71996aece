import { defineApi, defineRegistry, defineResource } from 'nounful'
import { isolationOf } from 'nounful/conformance'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { callers } from './service.ts'

const Code = z.object({ id: z.string(), text: z.string(), tenant_id: z.string() })
const codes = defineResource('codes', {
  schema: Code,
  create: Code.partial({ id: true, tenant_id: true }),
  ownedBy: ['tenant_id'],
})

// Clients choose ids, and the storage keeps one item of each id for all tenants.
const registry = defineRegistry(defineApi({ v1: { '/codes': codes } }))
  .context(({ headers }) => ({ tenant: `${headers?.authorization}`.replace('Bearer ', '') }))
  .scope(({ tenant }) => ({ tenant_id: tenant }))
  .adapters({ codes: memoryAdapter() })

test('an id that a client chose is taken, and tells nothing else', {
  timeout: 60_000,
}, async () => {
  const checks = isolationOf(registry, { as: callers.as })
  const broken: string[] = []
  for (const check of checks)
    await check.run().catch((error: Error) => {
      broken.push(check.name)
      expect(error.message).toMatch(
        /^\d+ findings against "conflicts tell of no taken value"[\s\S]*POST \/v1\/codes tells/,
      )
      expect(error.message.match(/findings against/g)).toHaveLength(1)
    })
  expect(broken).toEqual(['/v1/codes is isolated'])
})

test('nor does a PUT that creates tell more', { timeout: 60_000 }, async () => {
  const notes = defineResource('notes', {
    schema: Code,
    create: Code.omit({ id: true, tenant_id: true }),
    ownedBy: ['tenant_id'],
    putCreates: true,
  })
  const isolated = defineRegistry(defineApi({ v1: { '/notes': notes } }))
    .context(({ headers }) => ({ tenant: `${headers?.authorization}`.replace('Bearer ', '') }))
    .scope(({ tenant }) => ({ tenant_id: tenant }))
    .adapters({ notes: memoryAdapter() })
  for (const check of isolationOf(isolated, { as: callers.as })) await check.run()
})
