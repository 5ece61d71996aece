import { defineApi, defineResource, defineView } from 'nounful'
import { z } from 'zod'

const name = z.string().min(1).max(100)
const NewTeam = z.strictObject({
  id: z.string().optional(),
  name,
  city: z.string().max(100).nullable(),
})
const Team = NewTeam.extend({ id: z.string() })

const teams = defineResource('teams', {
  schema: Team,
  create: NewTeam,
  update: NewTeam.omit({ id: true }),
  sortable: ['name'],
  searchable: ['name', 'city'],
  filterable: ['name', 'city'],
  ownedBy: [],
  total: true,
})

const NewPlayer = z.strictObject({
  full_name: name,
  team_id: z.string().max(100),
  rival_id: z.string().max(100).optional(),
  shirt: z.int().min(0).max(9999).nullable(),
  rating: z.number().min(-1000).max(1000).optional(),
  state: z.enum(['active', 'injured', 'left']),
  born: z.iso.date().optional(),
  joined: z.iso.datetime().optional(),
  captain: z.boolean().optional(),
  tags: z.array(z.string().max(20)).max(5).optional(),
  address: z.strictObject({ city: z.string().optional(), zip: z.string().optional() }).optional(),
  salary: z.number().optional(),
})
const Player = NewPlayer.extend({ id: z.string(), tenant_id: z.string(), revision: z.int() })

const players_v2 = defineResource('players_v2', {
  schema: Player,
  create: NewPlayer,
  readOnly: ['revision'],
  revision: 'revision',
  restricted: ['salary'],
  sortable: ['full_name', 'shirt', 'rating', 'born', 'joined', 'state', 'captain'],
  searchable: ['full_name', 'state'],
  filterable: [
    ...(['full_name', 'team_id', 'shirt', 'rating', 'state'] as const),
    ...(['born', 'joined', 'captain', 'salary'] as const),
  ],
  references: { team_id: 'teams', rival_id: { to: 'players_v2', as: 'rival' } },
  ownedBy: ['tenant_id'],
  idempotent: true,
  bounded: true,
})

const NewPlayerV1 = z.strictObject({
  name,
  team_id: z.string().max(100),
  number: z.int().min(0).max(9999).nullable(),
  active: z.boolean(),
  city: z.string().optional(),
})
const PlayerV1 = NewPlayerV1.extend({ id: z.string(), tenant_id: z.string(), revision: z.int() })

const players = defineView('players', players_v2, {
  schema: PlayerV1,
  create: NewPlayerV1,
  readOnly: ['revision'],
  revision: 'revision',
  sortable: ['name', 'number'],
  searchable: ['name'],
  filterable: ['name', 'team_id', 'number', 'active'],
  references: { team_id: 'teams' },
  fields: {
    name: 'full_name',
    number: 'shirt',
    active: { of: 'state', values: { active: true, injured: false, left: false } },
    city: { in: 'address', field: 'city' },
  },
  hidden: {},
})

const NewSpecimen = z.strictObject({
  id: z.string().optional(),
  name: z.string().max(200),
  note: z.string().max(200).optional(),
  rank: z.number().optional(),
  flag: z.boolean().optional(),
  data: z.record(z.string(), z.json()).optional(),
})

/** A resource without an owner, whose ids clients choose. */
export const specimens = defineResource('specimens', {
  schema: NewSpecimen.extend({ id: z.string() }),
  create: NewSpecimen,
  update: NewSpecimen.omit({ id: true }),
  sortable: ['name', 'note', 'rank', 'flag'],
  searchable: ['name', 'note'],
  filterable: ['name', 'note', 'rank', 'flag'],
  ownedBy: [],
  defaultLimit: 50,
  maxLimit: 200,
})

/** Two versions that cross the features of the convention. */
export const api = defineApi(
  {
    v1: { '/teams': teams, '/players': players, '/teams/:team_id/players': players },
    v2: {
      '/teams': teams,
      '/players': players_v2,
      '/teams/:team_id/players': players_v2,
      '/specimens': specimens,
    },
  },
  { lifecycle: { v1: { deprecated: '2026-11-01', sunset: '2099-11-01', successor: 'v2' } } },
)
