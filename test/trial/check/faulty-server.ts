import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import {
  type AdapterFor,
  defineApi,
  defineRegistry,
  defineResource,
  type HttpRequest,
  type HttpResponse,
  handle,
  type Registry,
} from 'nounful'
import { memoryAdapter } from 'nounful/memory'
import { z } from 'zod'
import { replyText } from '../../support/check-transport.ts'

const Team = z.strictObject({ id: z.string(), name: z.string().min(1) })
const NewTeam = Team.omit({ id: true })
const Player = z.strictObject({
  // Clients may choose it.
  id: z.string(),
  name: z.string().min(1),
  nick: z.string().optional(),
  shirt: z.number().optional(),
  injured: z.boolean().optional(),
  tags: z.array(z.string()).optional(),
  home: z.object({ city: z.string().optional(), floor: z.number().optional() }).optional(),
  phase: z.enum(['new', 'signed', 'sold']).optional(),
  team_id: z.string(),
  rival_id: z.string().optional(),
  joined: z.string(),
  revision: z.number(),
})
const NewPlayer = Player.omit({ team_id: true, joined: true, revision: true }).partial({ id: true })
const set = { joined: '2026', revision: 1 }

const teams = defineResource('teams', {
  schema: Team,
  create: NewTeam,
  sortable: ['name'],
  searchable: ['name'],
  filterable: ['name'],
})
const players = defineResource('players', {
  schema: Player,
  create: NewPlayer,
  readOnly: ['joined'],
  revision: 'revision',
  sortable: ['name', 'nick', 'shirt'],
  searchable: ['name', 'nick'],
  filterable: ['name', 'nick', 'shirt', 'injured', 'tags', 'home.city', 'home.floor'],
  countable: ['injured', 'nick'],
  references: { team_id: 'teams', rival_id: 'teams' },
  states: { phase: { new: ['signed'], signed: ['sold'], sold: [] } },
  idempotent: true,
})
const api = defineApi({ v1: { '/teams': teams, '/teams/:team_id/players': players } })

/** Items with ties, missing values, and texts whose order depends on the collation. */
const items = {
  teams: [
    { id: 't1', name: 'Athletic' },
    { id: 't2', name: 'Borough' },
  ],
  players: [
    {
      id: 'p1',
      name: 'Bob Crane',
      nick: 'zed',
      shirt: 7,
      injured: true,
      tags: ['amber', 'Blue'],
      home: { city: 'Bern', floor: 2 },
      team_id: 't1',
      ...set,
    },
    {
      id: 'p2',
      name: 'anna Berg',
      tags: ['Blue'],
      home: { city: 'Chur', floor: 10 },
      team_id: 't1',
      ...set,
    },
    {
      id: 'p3',
      name: 'Émile Adams',
      nick: 'Zed',
      shirt: 10,
      team_id: 't1',
      rival_id: 't2',
      ...set,
    },
    { id: 'p4', name: 'anna Berg', nick: '😀', shirt: 9, team_id: 't1', ...set },
    { id: 'p5', name: 'Zoe Adams', nick: '～', shirt: 7, injured: false, team_id: 't1', ...set },
    { id: 'p6', name: 'Dora Finch', team_id: 't2', ...set },
  ],
}

type Players = AdapterFor<typeof api, 'players'>

function withCreateMany(adapter: Players): Players {
  adapter.createMany = async ({ items, ...operation }, context) => {
    const made = []
    for (const item of items)
      made.push(await adapter.create?.({ ...operation, item, items: undefined }, context))
    return made.filter((item) => item !== undefined)
  }
  return adapter
}

/** Where the service has its players. */
export const collection = '/v1/teams/{team_id}/players'

/** Creates a registry with items for every rule. */
function teamsRegistry(): Registry {
  const owners: AdapterFor<typeof api, 'teams'> = memoryAdapter({ items: items.teams })
  return defineRegistry(api).adapters({
    teams: owners,
    players: withCreateMany(
      memoryAdapter({ items: items.players, onCreate: () => ({ joined: set.joined }) }),
    ),
  })
}

/** A response of any status. */
export interface Reply extends Omit<HttpResponse, 'status' | 'headers'> {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
}

/** A correct service. */
export type Serve = (request: HttpRequest) => Promise<Reply>

/** Breaks a rule: it changes the request or the response of a correct service. */
export type Violation = (request: HttpRequest, serve: Serve) => Reply | Promise<Reply>

/** A service that is correct except for a violation. */
export interface FaultyService {
  readonly serve: Serve
  /** Lists the stored items. */
  readonly stored: () => Promise<unknown>
}

export interface FaultyServer extends FaultyService {
  readonly url: string
  close(): Promise<void>
}

/** Makes a service, which is asked in process. */
export function faultyService(violation: Violation): FaultyService {
  const registry = teamsRegistry()
  const serve: Serve = async (request) => await handle(request, registry)
  const list = async (url: string) => (await serve({ method: 'GET', url })).body
  return {
    serve: async (request) => violation(request, serve),
    stored: async () => [
      await list('/v1/teams'),
      await list('/v1/teams/t1/players'),
      await list('/v1/teams/t2/players'),
    ],
  }
}

/** Starts a server of such a service. */
export async function startFaultyServer(violation: Violation): Promise<FaultyServer> {
  const service = faultyService(violation)
  const server = createServer((request, response) => {
    answer(request, response, service.serve).catch((error) => {
      response.writeHead(500).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...service,
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  serve: Serve,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const { method = '', url = '', headers } = request
  const body = text === '' ? undefined : text
  const reply = await replyText(serve, { method, url, headers, body })
  response.writeHead(reply.status, reply.headers)
  response.end(reply.text)
}
