import { defineApi, defineRegistry, defineResource, type Operation, type Registry } from 'nounful'
import { z } from 'zod'
import { type Loose, mapOf } from './registry.ts'

const Team = z.object({ id: z.string(), company_id: z.string(), name: z.string() })
const Member = z.object({
  id: z.string(),
  company_id: z.string(),
  team_id: z.string(),
  name: z.string(),
})

/** A registry of three levels, and every operation that its adapters received. */
export interface Nested {
  readonly registry: Registry
  readonly asked: Operation[]
  readonly stored: { readonly [Name in keyof ReturnType<typeof adapters>]: Map<unknown, object> }
}

/**
 * Companies own teams, teams own members. Members are at the top too. Company `2` lacks team `x`.
 */
export function nested(wrap: (adapter: Loose) => Loose = (adapter) => adapter): Nested {
  const companies = defineResource('companies', {
    schema: z.object({ id: z.string(), name: z.string() }),
    create: z.strictObject({ name: z.string() }),
  })
  const teams = defineResource('teams', {
    schema: Team,
    create: z.strictObject({ name: z.string() }),
    searchable: ['name'],
  })
  const members = defineResource('members', {
    schema: Member,
    create: z.strictObject({
      name: z.string(),
      company_id: z.string().optional(),
      team_id: z.string().optional(),
    }),
    // The path gives them; at the top no test writes.
    filled: ['company_id', 'team_id'],
    searchable: ['name'],
  })
  const api = defineApi({
    v1: {
      '/companies': companies,
      '/members': members,
      '/companies/:company_id/teams': teams,
      '/companies/:company_id/teams/:team_id/members': members,
    },
  })
  const asked: Operation[] = []
  const made = adapters()
  const given = Object.fromEntries(
    Object.entries(made).map(([name, adapter]) => [name, wrap(told(adapter, asked))]),
  )
  const registry = defineRegistry(api)
    .onError(() => undefined)
    .adapters(given as never)
  const { companies: c, teams: t, members: m } = made
  return { registry, asked, stored: { companies: c.stored, teams: t.stored, members: m.stored } }
}

function adapters() {
  return {
    companies: mapOf({ id: '1', name: 'Acme' }, { id: '2', name: 'Globex' }),
    teams: mapOf(
      { id: 'a', company_id: '1', name: 'Optics' },
      { id: 'b', company_id: '2', name: 'Freight' },
      { id: 'x', company_id: '3', name: 'Orphans' },
    ),
    members: mapOf(
      { id: 'm', company_id: '1', team_id: 'a', name: 'Mia' },
      { id: 'n', company_id: '2', team_id: 'b', name: 'Noa' },
      { id: 'o', company_id: '3', team_id: 'x', name: 'Oda' },
      { id: 'p', company_id: '2', team_id: 'a', name: 'Pia' },
    ),
  }
}

function told({ stored: _, ...adapter }: ReturnType<typeof mapOf>, asked: Operation[]): Loose {
  return Object.fromEntries(
    Object.entries(adapter).map(([kind, method]) => [
      kind,
      (operation: Operation, context: unknown) => {
        asked.push(operation)
        return method(operation, context)
      },
    ]),
  )
}
