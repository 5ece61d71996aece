import { defineApi, defineRegistry, defineResource } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { expect, test } from 'vitest'
import { z } from 'zod'

const schema = z.object({ id: z.string() })
const ofFirm = schema.extend({ firm_id: z.string() })
const firms = defineResource('firms', { schema })
const teams = defineResource('teams', {
  schema: ofFirm,
  references: { firm_id: 'firms' },
  filterable: ['firm_id'],
})
const bills = defineResource('bills', {
  schema: ofFirm.extend({ payer_id: z.string() }),
  references: { firm_id: 'firms', payer_id: 'firms' },
  filterable: ['payer_id'],
})
const notes = defineResource('notes', {
  schema: ofFirm,
  references: { firm_id: 'firms' },
  filterable: ['firm_id'],
  total: false,
})
const paths = { '/firms': firms, '/firms/:firm_id/teams': teams, '/teams': teams, '/bills': bills }

test('lists the collections of an item, and the items that hold its id', async () => {
  const api = defineApi({ v1: { ...paths, '/notes': notes }, v2: { '/firms': firms } })
  const registry = defineRegistry(api, { defaultVersion: 'v1' }).adapters({
    firms: memoryAdapter({ items: [{ id: 'f 1' }] }),
    teams: memoryAdapter(),
    bills: memoryAdapter(),
    notes: memoryAdapter(),
  })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const headers = { accept: 'text/html' }
  const response = await fetch(new Request('https://h/v1/firms/f%201', { headers }))
  const [related = ''] = /<section class="related".*?<\/section>/s.exec(await response.text()) ?? []
  const lines = related.matchAll(
    /<a href="([^"]*)">([^<]*)<\/a>(?: <small data-number="([^"]*)")?/g,
  )
  // A nested list has what a filter by the same owner has. A page counts nothing of `total: false`.
  expect([...lines].map(([, ...line]) => line)).toEqual([
    ['/v1/firms/f%201/teams', 'teams', '/v1/firms/f%201/teams/count'],
    ['/v1/bills?payer_id=f%201', 'bills by payer_id', '/v1/bills/count?payer_id=f%201'],
    ['/v1/notes?firm_id=f%201', 'notes by firm_id', undefined],
  ])
})

test('the form of filters has the fields of related items, which unfold', async () => {
  const firm = z.object({ id: z.string(), name: z.string(), founded: z.iso.date() })
  const staff = ofFirm.extend({ name: z.string() })
  const api = defineApi({
    v1: {
      '/firms': defineResource('firms', {
        ...{ schema: firm, filterable: ['name', 'founded'] },
        ...{ searchable: ['name'], sortable: ['founded'] },
      }),
      '/workers': defineResource('workers', {
        ...{ schema: staff, filterable: ['name'], references: { firm_id: 'firms' } },
      }),
    },
  })
  const registry = defineRegistry(api).adapters({
    firms: memoryAdapter(),
    workers: memoryAdapter(),
  })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const show = async (search: string) => {
    const headers = { accept: 'text/html' }
    const page = await (
      await fetch(new Request(`https://h/v1/workers${search}`, { headers }))
    ).text()
    const more = /<details class="more">.*?<\/details>/gs
    const [, open, fields = ''] =
      /<details class="related-filters"( open)?>(.*?)<p class="buttons">/s.exec(page) ?? []
    const namesIn = (text: string) => [...text.matchAll(/ name="([^"]*)"/g)].map(([, name]) => name)
    const folded = [...fields.matchAll(more)].flatMap(([text]) => namesIn(text))
    return { open, names: namesIn(fields.replace(more, '')), folded }
  }
  const names = ['firm.name:contains', 'firm.founded:lt', 'firm.founded:gte']
  const folded = ['ne', 'null', 'startsWith', 'endsWith'].map((name) => `firm.name:${name}`)
  const ofFounded = ['', ':ne', ':null', ':gt', ':lte'].map((name) => `firm.founded${name}`)
  expect(await show('')).toEqual({
    ...{ open: undefined, names, folded: ['firm.name', ...folded, ...ofFounded] },
  })
  expect(await show('?firm.name=Acme')).toEqual({
    open: ' open',
    names: [names[0], 'firm.name', 'firm.name', ...names.slice(1)],
    folded: [...folded, ...ofFounded],
  })
})

test('an item below a parent tells the lists that refer to it, and names come second', async () => {
  const team = ofFirm.extend({ size: z.number(), name: z.string() })
  const seat = schema.extend({ team_id: z.string() })
  const groups = defineResource('teams', { schema: team, searchable: ['name'] })
  const seats = defineResource('seats', {
    ...{ schema: seat, filterable: ['team_id'], references: { team_id: 'teams' } },
  })
  const api = defineApi({
    v1: { '/firms': firms, '/teams': groups, '/firms/:firm_id/teams': groups, '/seats': seats },
  })
  const registry = defineRegistry(api).adapters({
    firms: memoryAdapter({ items: [{ id: 'f' }] }),
    teams: memoryAdapter({ items: [{ id: 't', firm_id: 'f', size: 2, name: 'Red' }] }),
    seats: memoryAdapter(),
  })
  const fetch = toFetchHandler(registry, { layers: [explorer(registry)] })
  const show = async (path: string) =>
    (await fetch(new Request(`https://h/v1${path}`, { headers: { accept: 'text/html' } }))).text()
  for (const path of ['/teams/t', '/firms/f/teams/t'])
    expect(await show(path)).toContain('<a href="/v1/seats?team_id=t">seats by team_id</a>')
  const headings = (await show('/teams')).matchAll(/<th scope="col">(?:<a[^>]*>)?<bdi>(\w+)/g)
  expect([...headings].map(([, name]) => name)).toEqual(['id', 'name', 'firm_id', 'size'])
})
