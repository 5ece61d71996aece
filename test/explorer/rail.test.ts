import { defineApi, defineRegistry, defineResource, problem } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const schema = z.object({ id: z.string() })
const firms = defineResource('firms', { schema })
const teams = defineResource('teams', { schema: schema.extend({ firm_id: z.string() }) })
const seats = defineResource('seats', { schema: schema.extend({ team_id: z.string() }) })
const logs = defineResource('logs', { schema, total: false })
const paths = {
  '/firms': firms,
  '/firms/:firm_id/teams': teams,
  '/firms/:firm_id/teams/:team_id/seats': seats,
}
const api = defineApi(
  { v1: { ...paths }, v2: { ...paths, '/logs': logs }, v3: { '/firms': firms } },
  { lifecycle: { v1: { deprecated: '2026-01-01', sunset: '2099-01-01', successor: 'v2' } } },
)

async function railAt(path: string, headers: Readonly<Record<string, string>> = {}) {
  const registry = defineRegistry(api, { defaultVersion: false })
    .context((request) => {
      if (request.headers?.['x-stranger']) throw problem('unauthenticated')
      return {}
    })
    .adapters({
      firms: memoryAdapter({ items: [{ id: 'f' }] }),
      teams: memoryAdapter({ items: [{ id: 't', firm_id: 'f' }] }),
      seats: memoryAdapter({ items: [{ id: 's', team_id: 't' }] }),
      logs: memoryAdapter(),
    })
  const fetch = toFetchHandler(registry, { base: '/in', layers: [explorer(registry)] })
  const init = { headers: { accept: 'text/html', ...headers } }
  const page = await (await fetch(new Request(`https://h/in${path}`, init))).text()
  const rail = /<nav class="rail".*?<\/nav>/s.exec(page)?.[0] ?? ''
  const places = rail.matchAll(/<li>(?:<a href="([^"]*)"( aria-current="true")?>|<span>)([\w]+)/g)
  return {
    rail,
    lines: [...places].map(([, url = '-', here, name]) => `${name} ${url}${here ? ' here' : ''}`),
  }
}

describe('the rail', () => {
  const top = (version: string) => `firms /in/${version}/firms`
  const versions = (v1: string, v3: string) => [`v1 ${v1}`, `v3 ${v3}`]
  const rows: readonly (readonly [path: string, lines: readonly string[]])[] = [
    [
      '/v2/firms',
      [
        `${top('v2')} here`,
        'teams -',
        'logs /in/v2/logs',
        ...versions('/in/v1/firms', '/in/v3/firms'),
      ],
    ],
    [
      '/v2/firms/f',
      [
        `${top('v2')} here`,
        'teams /in/v2/firms/f/teams',
        'seats -',
        'logs /in/v2/logs',
        ...versions('/in/v1/firms/f', '/in/v3/firms/f'),
      ],
    ],
    [
      '/v2/firms/f/teams/t/seats',
      [
        top('v2'),
        'teams /in/v2/firms/f/teams',
        'seats /in/v2/firms/f/teams/t/seats here',
        'logs /in/v2/logs',
        ...versions('/in/v1/firms/f/teams/t/seats', '/in/v3'),
      ],
    ],
  ]
  test.each(rows)('of %s has the collections and the other versions', async (path, lines) => {
    expect((await railAt(path)).lines).toEqual(lines)
  })

  test('tells when a version ends', async () => {
    expect((await railAt('/v2/firms')).rail).toContain('<small>until 2099-01-01</small>')
  })

  test('is on no page without a collection', async () => {
    for (const path of ['/', '/v2', '/v2/nothing']) expect((await railAt(path)).rail).toBe('')
  })

  test('has a number where the server counts, and the client may ask', async () => {
    const { rail } = await railAt('/v2/firms/f')
    expect([...rail.matchAll(/data-number="([^"]*)"/g)].map(([, url]) => url)).toEqual([
      '/in/v2/firms/count',
      '/in/v2/firms/f/teams/count',
    ])
    expect((await railAt('/v2/firms', { 'x-stranger': '1' })).rail).not.toContain('data-number')
  })
})
