import { defineApi, defineRegistry, defineResource, type HttpRequest } from 'nounful'
import { explorer } from 'nounful/explorer'
import { toFetchHandler } from 'nounful/fetch'
import { memoryAdapter } from 'nounful/memory'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'

const Task = z.strictObject({
  id: z.string(),
  name: z.string(),
  state: z.enum(['new', 'open', 'done']),
  due: z.iso.date(),
  size: z.number(),
  done: z.boolean(),
})
const items = Array.from({ length: 60 }, (_, index) => ({
  id: `t${String(index).padStart(2, '0')}`,
  name: `Task ${index}`,
  state: (['new', 'open', 'done'] as const)[index % 3] ?? 'new',
  due: `2026-01-${String((index % 28) + 1).padStart(2, '0')}`,
  size: index,
  done: index % 2 === 0,
}))

interface Shown {
  readonly status: number
  readonly text: string
  readonly headers: Headers
  /** The request that the page sent to the API. */
  readonly sent: HttpRequest
}

async function show(search: string, declaration: object = {}): Promise<Shown> {
  const tasks = defineResource('tasks', {
    schema: Task,
    create: Task.omit({ id: true }),
    sortable: ['name', 'due', 'size'],
    searchable: ['name'],
    filterable: ['name', 'state', 'due', 'size', 'done'],
    ...declaration,
  })
  const api = defineApi({ v1: { '/tasks': tasks } })
  const registry = defineRegistry(api).adapters({ tasks: memoryAdapter({ items }) as never })
  const requests: HttpRequest[] = []
  const layers = [
    explorer(registry),
    (request: HttpRequest, answer: Parameters<ReturnType<typeof explorer>>[1]) => {
      requests.push(request)
      return answer(request)
    },
  ]
  const headers = { accept: 'text/html' }
  const url = `https://h/v1/tasks${search}`
  const response = await toFetchHandler(registry, { layers })(new Request(url, { headers }))
  const text = await response.text()
  return { status: response.status, text, headers: response.headers, sent: requests[0] as never }
}

const formOf = (text: string): string =>
  text.match(/<details class="filters menu".*?<\/form><\/details>/s)?.[0] ?? ''
const moreSyntax = /<details class="more">.*?<\/details>/gs
const idsIn = (text: string): number => text.match(/<th scope="row"><a/g)?.length ?? 0
const hiddenIn = (form: string): readonly string[] =>
  [...form.matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name, value]) => `${name}=${value}`,
  )

describe('the form of filters', () => {
  test('has an input of its type for each field', async () => {
    const form = formOf((await show('')).text).replace(moreSyntax, '')
    const inputs = [...form.matchAll(/<(input|select) name="([^"]*)"(?: type="(\w+)")?/g)]
    expect(inputs.map(([, tag, name, type]) => [name, type ?? tag])).toEqual([
      ['name:contains', 'input'],
      ['due:lt', 'date'],
      ['due:gte', 'date'],
      ['size:gte', 'number'],
      ['size:lte', 'number'],
      ['done', 'select'],
    ])
    const options = [...form.matchAll(/<option value="([^"]*)"/g)].map(([, value]) => value)
    expect(options).toEqual(['', 'true', 'false'])
    const boxes = [...form.matchAll(/type="checkbox" name="state" value="(\w+)">/g)]
    expect(boxes.map(([, value]) => value)).toEqual(['new', 'open', 'done'])
    expect(form).toContain('<form method="get" action="/v1/tasks" autocomplete="off">')
  })

  test('has the other operators of each field, which unfold', async () => {
    const form = formOf((await show('')).text)
    const fields = [...form.matchAll(moreSyntax)].map(([details]) => {
      const filters = details.matchAll(
        /<small>([^<]*)<\/small>(?:<\/legend>)?\n(?:<label>)?<\w+[^<>]* name="([^"]*)"/g,
      )
      return [
        /<summary>(.*?)<\/summary>/.exec(details)?.[1]?.replace(/<[^>]*>/g, ''),
        ...[...filters].map(([, words, name]) => `${words} ${name}`),
      ]
    })
    expect(fields).toEqual([
      [
        'More operators of name',
        ...['is name', 'is not name:ne', 'is empty name:null', 'after name:gt', 'from name:gte'],
        ...['before name:lt', 'up to name:lte', 'starts with name:startsWith'],
        'ends with name:endsWith',
      ],
      ['More operators of state', 'is not state:ne', 'is empty state:null'],
      [
        'More operators of due',
        ...['is due', 'is not due:ne', 'is empty due:null', 'after due:gt'],
        'on or before due:lte',
      ],
      [
        'More operators of size',
        ...['is size', 'is not size:ne', 'is empty size:null', 'more than size:gt'],
        'less than size:lt',
      ],
      ['More operators of done', 'is not done:ne', 'is empty done:null'],
    ])
    // No label repeats an id, and each holds its control.
    expect(form).not.toMatch(/ id="| for="/)
  })

  // The resource offers 9 further operators of each of them.
  test('leaves out operators that make a page long, but for fields with a filter', async () => {
    const names = Array.from({ length: 9 }, (_, index) => `n${index}`)
    const schema = z.object({
      id: z.string(),
      ...Object.fromEntries(names.map((name) => [name, z.string().optional()])),
    })
    const options = { filterable: names, sortable: names, searchable: names }
    const fieldsIn = async (search: string) => {
      const { text } = await show(search, { schema, create: undefined, ...options })
      return [...text.matchAll(/More operators<span class="hidden"> of (\w+)/g)].map(
        ([, name]) => name,
      )
    }
    expect(await fieldsIn('')).toEqual(names.slice(0, 6))
    expect(await fieldsIn('?n8=x')).toEqual([...names.slice(0, 6), 'n8'])
  })

  test('is absent where clients filter by the id alone', async () => {
    const { text } = await show('', { filterable: [] })
    expect(formOf(text)).toBe('')
    const { text: filtered } = await show('?id=t01', { filterable: [] })
    expect(idsIn(filtered)).toBe(1)
    expect(filtered).toContain('aria-label="Remove id is t01"')
    const names = [...formOf(filtered).matchAll(/ name="([^"]*)"(?: id="[^"]*")?/g)]
    expect(names.map(([, name]) => name)).toEqual(['menu', 'id', 'id'])
  })

  // biome-ignore format: a row stays a line
  const kept: readonly (readonly [search: string, hidden: readonly string[]])[] = [
    ['?q=task&sort=-size&limit=5',       ['q=task', 'sort=-size', 'limit=5']],
    ['?state=new&state=open',            []],
    ['?due:gt=2026-01-01&size:gte=1',    []],
    ['?due:gt=2026-01-01&q=a',           ['q=a']],
    ['?limit=5&offset=5&fields=name',    ['limit=5', 'fields=name']],
  ]
  test.each(kept)('of %s keeps %j', async (search, hidden) => {
    const { status, text } = await show(search)
    expect([status, hiddenIn(formOf(text))]).toEqual([200, hidden])
  })

  test('shows the values of the request', async () => {
    const form = formOf((await show('?state=open&size:gte=7&due:lte=2026-01-05')).text)
    expect(form).toMatch(/^<details class="filters menu" name="menu">/)
    expect(form).toContain('name="state" value="open" checked>')
    expect(form).toContain('name="state" value="new">')
    expect(form).toMatch(/id="[\w-]+" name="size:gte" type="number" step="any" value="7"/)
    expect(form).toMatch(/id="[\w-]+" name="due:lte" type="date" value="2026-01-05"/)
  })

  test('shows the filters of the request before those that unfold', async () => {
    const form = formOf((await show('?due:gt=2026-01-01&state:ne=new')).text)
    const first = form.replace(moreSyntax, '')
    expect(first).toMatch(/id="[\w-]+" name="due:gt" type="date" value="2026-01-01"/)
    expect(first).toContain('name="state:ne" value="new" checked>')
    const folded = formOf((await show('')).text).replace(moreSyntax, '')
    expect(folded).not.toMatch(/name="(?:due:gt|state:ne)"/)
    expect(form.match(/name="due:gt"/g)).toHaveLength(1)
  })

  test('has a control for each value of a filter, and an empty one', async () => {
    const form = formOf((await show('?name=a&name=%3Cb%3E&name:ne=c')).text)
    const controls = [
      ...form.matchAll(/<small>([^<]*)<\/small>\n<input([^>]*) name="(name(?::ne)?)"([^>]*)>/g),
    ]
    expect(controls.map(([, words, id, name, value]) => `${words} ${name}${id}${value}`)).toEqual([
      'is name id="filter-2" value="a"',
      'or name id="filter-2-1" value="&lt;b&gt;"',
      'or name',
      'is not name:ne id="filter-3" value="c"',
      'nor name:ne',
    ])
    expect(hiddenIn(form)).toEqual([])
  })

  test('has one control for a filter that a request may not repeat', async () => {
    const { status, text } = await show('?size:gte=1&size:gte=2')
    const form = formOf(text)
    expect([status, form.match(/name="size:gte"/g)?.length]).toEqual([400, 2])
    expect(form.match(/aria-describedby="([^"]*)"/g)).toHaveLength(2)
  })
})

describe('a page', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [search: string, asked: string, items: number])[] = [
    ['?name%3Acontains=&state=&due%3Agte=&done=', '?limit=50',                        50],
    ['?state=new&size%3Agte=&size%3Alte=9',       '?state=new&size:lte=9&limit=50',   4],
    ['?state=&state=done&sort=-size',             '?state=done&sort=-size&limit=50',  20],
    ['?name=&q=task+1&limit=3',                   '?q=task+1&limit=3',                3],
    ['?id=',                                      '?limit=50',                        50],
  ]
  test.each(rows)('of %s asks for %s', async (search, asked, count) => {
    const { sent, text, status } = await show(search)
    expect([status, new URL(sent.url, 'http://h').search]).toEqual([200, asked])
    expect(idsIn(text)).toBe(count)
  })

  test('of an empty parameter that is no filter reports it', async () => {
    expect((await show('?limit=')).status).toBe(400)
    expect((await show('?nope=')).status).toBe(400)
    expect((await show('?q=a&?state=')).status).toBe(400)
  })

  test('has chips, each with a link to the list without it', async () => {
    const search =
      '?state=new&state=open&size:lt=30&due:gte=2026-01-05&sort=name,-size&limit=5&offset=5'
    const { text } = await show(search)
    const links = [...text.matchAll(/<a href="([^"]*)" aria-label="Remove ([^"]*)"/g)]
    const where = 'state=new&state=open'
    expect(links.map(([, url = '', chip]) => [chip, url.replaceAll('&amp;', '&')])).toEqual([
      ['state is new or open', '/v1/tasks?size:lt=30&due:gte=2026-01-05&sort=name,-size&limit=5'],
      ['size less than 30', `/v1/tasks?${where}&due:gte=2026-01-05&sort=name,-size&limit=5`],
      ['due on or after 2026-01-05', `/v1/tasks?${where}&size:lt=30&sort=name,-size&limit=5`],
      ['name ↑', `/v1/tasks?${where}&size:lt=30&due:gte=2026-01-05&sort=-size&limit=5`],
      ['size ↓', `/v1/tasks?${where}&size:lt=30&due:gte=2026-01-05&sort=name&limit=5`],
    ])
  })

  test('has chips that lead to the first control of their filter', async () => {
    const { text } = await show('?state:ne=done&state:ne=open&name=a&name=b&size:lt=30&id=t01')
    const chips = text.matchAll(/<li><a href="#([^"]*)" title="Change it">(.*?)<\/a>/gs)
    const controls = [...chips].map(([, id = '', chip = '']) => {
      const control = new RegExp(`<input id="${id}"[^<>]*>`).exec(formOf(text))?.[0]
      const [name, value] = ['name', 'value'].map((key) => control?.split(`${key}="`)[1])
      return [chip.replaceAll(/<[^>]*>/g, ''), [name, value].map((rest) => rest?.split('"')[0])]
    })
    expect(controls).toEqual([
      ['state is not done nor open', ['state:ne', 'done']],
      ['name is a or b', ['name', 'a']],
      ['size less than 30', ['size:lt', '30']],
      ['id is t01', ['id', 't01']],
    ])
  })

  test('has chips of the order, which turn it round', async () => {
    const { text } = await show('?sort=name,-size&limit=5&offset=5')
    const chips = text.matchAll(/<li><a href="(\/[^"]*)" title="([^"]*)"/g)
    expect([...chips].map(([, url, title]) => [title, url?.replaceAll('&amp;', '&')])).toEqual([
      ['Sort descending', '/v1/tasks?sort=-name,-size&limit=5'],
      ['Sort ascending', '/v1/tasks?sort=name,size&limit=5'],
    ])
  })

  test.each(['/first', '/last', '/count'])('of %s has the form of its chips', async (end) => {
    const { text } = await show(`${end}?size:gte=5`)
    const [, id] = /<li><a href="#([^"]*)"/.exec(text) ?? []
    expect(formOf(text)).toContain(`action="/v1/tasks${end}"`)
    expect(formOf(text)).toContain(`id="${id}" name="size:gte"`)
  })

  // biome-ignore format: a row stays a line
  const phrases: readonly (readonly [filter: string, words: string])[] = [
    ['state:ne=new&state:ne=open', 'state is not new nor open'],
    ['due:null=true',              'due is empty'],
    ['due:null=false',             'due is not empty'],
    ['name:startsWith=Ta',         'name starts with Ta'],
    ['name:endsWith=0',            'name ends with 0'],
    ['name:contains="<b>',         'name contains &quot;&lt;b&gt;'],
    ['size:gt=3',                  'size more than 3'],
  ]
  test.each(phrases)('of %s has a chip "%s"', async (filter, words) => {
    expect((await show(`?${filter}`)).text).toContain(`aria-label="Remove ${words}"`)
  })

  test('keeps the filters in headings, ends, pages and search', async () => {
    const { text } = await show('?state=new&limit=5&id:ne=t00')
    const urls = [...text.matchAll(/href="(\/v1\/tasks[^"]*)"/g)].map(([, url]) => url)
    const where = 'state=new&amp;id:ne=t00'
    expect(urls).toEqual(
      expect.arrayContaining([
        `/v1/tasks?${where}&amp;sort=name&amp;limit=5`,
        `/v1/tasks?${where}&amp;sort=id&amp;limit=5`,
        `/v1/tasks/first?${where}`,
        `/v1/tasks/count?${where}`,
        expect.stringMatching(/state=new&amp;limit=5&amp;after=/),
      ]),
    )
    const search = text.match(/<form class="search".*?<\/form>/s)?.[0] ?? ''
    expect(hiddenIn(search)).toEqual(['state=new', 'id:ne=t00', 'limit=5'])
  })

  test('sorts by the id of its heading, both ways', async () => {
    expect((await show('')).text).toContain('href="/v1/tasks?sort=id"')
    expect((await show('?sort=id')).text).toContain('href="/v1/tasks?sort=-id"')
    expect((await show('?sort=-id')).text).toMatch(
      /aria-sort="descending"><a class="sort" href="\/v1\/tasks"/,
    )
  })

  test('shows a few fields without forms that would send them', async () => {
    const { text } = await show('?fields=name&limit=2')
    const headings = [...text.matchAll(/<th scope="col"[^>]*><a class="sort"[^>]*><bdi>(\w+)/g)]
    expect(headings.map(([, name]) => name)).toEqual(['id', 'name'])
    const kinds = [...text.matchAll(/data-kind="(\w+)"/g)].map(([, kind]) => kind)
    expect(kinds).toEqual(['create', 'deleteAll'])
    expect(text).toContain('href="/v1/tasks?limit=2">Show all fields')
  })
})

describe('the form of columns', () => {
  const formIn = (text: string): string => /<summary>columns<.*?<\/details>/s.exec(text)?.[0] ?? ''
  const checkedIn = (text: string): readonly (string | undefined)[] =>
    [...formIn(text).matchAll(/name="fields" value="(\w+)" checked>/g)].map(([, name]) => name)

  test('has the fields of the table, and keeps the other parameters', async () => {
    const { text } = await show('?state=new&sort=name&fields=name,size')
    expect(checkedIn(text)).toEqual(['name', 'size'])
    expect(hiddenIn(formIn(text))).toEqual(['state=new', 'sort=name'])
    expect(checkedIn((await show('')).text)).toEqual(['name', 'state', 'due', 'size', 'done'])
  })

  test('sends a request that the API takes', async () => {
    const { status, text } = await show('?fields=name&fields=size')
    expect([status, checkedIn(text)]).toEqual([200, ['name', 'size']])
  })
})

describe('a total', () => {
  // biome-ignore format: a row stays a line
  const rows: readonly (readonly [search: string, words: string])[] = [
    ['',                        '1–50 of 60 · '],
    ['?limit=20&offset=40',     '41–60 of 60'],
    ['?state=new',              '1–20 of 20'],
    ['?state=new&size:lt=0',    ''],
    ['?limit=20&offset=80',     '0 of 60'],
    ['?limit=1&size:lt=1',      '1–1 of 1'],
  ]
  test.each(rows)('of %s is "%s"', async (search, words) => {
    const { text, sent, headers } = await show(search)
    expect(text.match(/aria-label="Pages"><p>([^<]*)/)?.[1]).toBe(words)
    expect(sent.headers).toMatchObject({ prefer: 'count=exact' })
    // The client of the page asked for none.
    expect([headers.get('vary'), headers.get('preference-applied')]).toEqual(['Accept', null])
  })

  test('of some items stands with that of all, which the script reads', async () => {
    const { text } = await show('?state=new')
    expect(text).toContain('<span data-total="/v1/tasks/count">20 match</span>')
    expect((await show('')).text).toContain('<p class="of">60</p>')
  })

  test('is absent where the resource has none', async () => {
    const { text, sent } = await show('', { total: false })
    expect(text).toContain('<p>50 items · ')
    expect(sent.headers).not.toHaveProperty('prefer')
  })

  test('stands on a page after a cursor without its position', async () => {
    const { text } = await show('?limit=50')
    const next = text.match(/href="([^"]*)" rel="next"/)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect((await show(next.replace('/v1/tasks', ''))).text).toContain('10 of 60')
  })
})

describe('a filter that the server refuses', () => {
  // biome-ignore format: a row stays a line
  const rows: [search: string, name: string, message: string, hidden: readonly string[]][] = [
    ['?state=nwe&q=a',                 'state',    'must be one of', ['q=a']],
    ['?size:gte=x&sort=id&limit=2',    'size:gte', 'must be a number',       ['sort=id', 'limit=2']],
    ['?due:lte=1990&limit=x',          'due:lte',  'must be a date',         []],
  ]
  test.each(rows)('%s has its message at its input', async (search, name, message, hidden) => {
    const { status, text } = await show(search)
    const form = formOf(text)
    expect(status).toBe(400)
    const [invalid = ''] = /<input[^<>]* aria-invalid="true"[^<>]*>/.exec(form) ?? []
    expect(/ name="([^"]*)"/.exec(invalid)?.[1]).toBe(name)
    const described = /aria-describedby="([^"]*)"/.exec(invalid)?.[1]
    const note = new RegExp(`id="${described}">(?:<[^>]*>)*[^<]*${message}`)
    expect(form).toMatch(note)
    expect(hiddenIn(form)).toEqual(hidden)
  })

  test('stands with the allowed values in the problem', async () => {
    const { text } = await show('?state=nwe')
    const problem = text.match(/<div id="data" class="problem">.*?<\/div>/s)?.[0] ?? ''
    for (const state of ['new', 'open', 'done']) expect(problem).toContain(`<code>${state}</code>`)
  })

  test('shows no form for other problems', async () => {
    for (const search of ['?sort=nope', '?nope=1', '?after=x'])
      expect(formOf((await show(search)).text)).toBe('')
  })
})
