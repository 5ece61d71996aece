import { type HttpResponse, handle } from 'nounful'
import { beforeEach, describe, expect, test } from 'vitest'
import { statuses } from '../src/convention/operations.ts'
import { problems } from '../src/convention/problems.ts'
import { exampleRegistry } from './support/companies.ts'
import { type ProblemBody, requestOf } from './support/registry.ts'

// The "RESTful Resource API Conventions: Employees and Companies", row by row.

interface Made {
  readonly id: string
  readonly [field: string]: unknown
}

type Send = (method: string, url: string, body?: unknown) => Promise<HttpResponse>

let send: Send
/** A company of the test's own, and another. */
let mine: Made
let other: Made

beforeEach(async () => {
  const registry = await exampleRegistry()
  send = async (method, url, body) => handle(requestOf([method, url, body]), registry)
  mine = await make('/companies', { name: 'Mine' })
  other = await make('/companies', { name: 'Other' })
})

async function make(url: string, body: object): Promise<Made> {
  const answer = await send('POST', url, body)
  expect(answer.status).toBe(201)
  return answer.body as Made
}

async function bodyOf(url: string): Promise<unknown> {
  const { status, body } = await send('GET', url)
  expect(status).toBe(200)
  return body
}

async function namesAt(url: string): Promise<unknown[]> {
  return ((await bodyOf(url)) as Made[]).map(({ name }) => name)
}

const person = { name: 'Gita Rao', birthdate: '1991-04-09' }

interface Place {
  readonly name: string
  readonly path: () => string
  readonly body: object
}

const places: readonly Place[] = [
  { name: '/employees', path: () => '/employees', body: person },
  { name: '/companies', path: () => '/companies', body: { name: 'Made' } },
  {
    name: '/companies/{id}/customers',
    path: () => `/companies/${mine.id}/customers`,
    body: { name: 'Kay' },
  },
  {
    name: '/companies/{id}/employees',
    path: () => `/companies/${mine.id}/employees`,
    body: person,
  },
]

for (const { name, path, body } of places) {
  describe(`"Collection and instance operations": ${name}`, () => {
    test('GET gives the list', async () => {
      const made = await make(path(), body)
      const { status, body: list } = await send('GET', path())
      expect([status, Array.isArray(list)]).toEqual([200, true])
      expect(list).toContainEqual(made)
    })

    test('POST gives the created one', async () => {
      const { status, body: made, headers } = await send('POST', path(), body)
      expect([status, made]).toEqual([
        201,
        expect.objectContaining({ ...body, id: expect.any(String) }),
      ])
      expect(headers.location).toBe(`/v1${path()}/${(made as Made).id}`)
      expect(await bodyOf(headers.location ?? '')).toEqual(made)
    })

    test('PUT updates many', async () => {
      const made = [await make(path(), body), await make(path(), body)]
      const changed = made.map((one, place) => ({ ...one, name: `Changed ${place}` }))
      const { status, body: given } = await send('PUT', path(), changed)
      expect([status, given]).toEqual([200, changed])
      for (const one of changed) expect(await bodyOf(`${path()}/${one.id}`)).toEqual(one)
    })

    test('DELETE deletes all', async () => {
      await make(path(), body)
      // Items that name a company go first.
      if (name === '/companies') {
        for (const { id } of (await bodyOf('/companies')) as Made[]) {
          for (const noun of ['employees', 'customers'])
            await send('DELETE', `/companies/${id}/${noun}`)
        }
      }
      const { count } = (await bodyOf(`${path()}/count`)) as { count: number }
      expect(await send('DELETE', path())).toMatchObject({ status: 200, body: { deleted: count } })
      if (name.startsWith('/companies/')) expect(await bodyOf('/companies')).toContainEqual(mine)
      else expect(await bodyOf(path())).toEqual([])
    })

    test('GET of an instance gives it', async () => {
      const made = await make(path(), body)
      expect(await bodyOf(`${path()}/${made.id}`)).toEqual(made)
    })

    test('POST to an instance is 405', async () => {
      const made = await make(path(), body)
      const { status, headers } = await send('POST', `${path()}/${made.id}`, body)
      expect([status, headers.allow]).toEqual([405, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS'])
    })

    test('PUT to an instance gives it updated', async () => {
      const made = await make(path(), body)
      const changed = { ...body, name: 'Changed' }
      const { status, body: given } = await send('PUT', `${path()}/${made.id}`, changed)
      expect([status, given]).toEqual([200, { ...made, name: 'Changed' }])
      expect(await bodyOf(`${path()}/${made.id}`)).toEqual(given)
    })

    test('DELETE of an instance gives it, once', async () => {
      const made = await make(path(), body)
      expect(await send('DELETE', `${path()}/${made.id}`)).toMatchObject({
        status: 200,
        body: made,
      })
      for (const method of ['GET', 'DELETE']) {
        expect(await send(method, `${path()}/${made.id}`)).toMatchObject({ status: 404 })
      }
    })
  })
}

describe('"Search, sort and reserved words"', () => {
  const staff = [
    { name: 'Bo', birthdate: '1990-01-01' },
    { name: 'Ann', birthdate: '1980-01-01' },
    { name: 'Bo', birthdate: '1970-01-01' },
  ]
  const under = () => `/companies/${mine.id}/employees`

  beforeEach(async () => {
    for (const one of staff) await make(under(), one)
    await make(`/companies/${other.id}/employees`, { name: 'Ann Other', birthdate: '1960-01-01' })
    for (const name of ['Kay', 'Lou']) await make(`/companies/${mine.id}/customers`, { name })
  })

  test('q finds what matches', async () => {
    expect(await namesAt('/employees/?q=ann%20other')).toEqual(['Ann Other'])
    expect(await namesAt('/companies/?q=mine')).toEqual(['Mine'])
  })

  test('q searches the customers of one company', async () => {
    expect(await namesAt(`/companies/${mine.id}/customers/?q=KAY`)).toEqual(['Kay'])
    expect(await namesAt(`/companies/${other.id}/customers/?q=KAY`)).toEqual([])
  })

  // biome-ignore format: a row stays a line
  const sorts: [sort: string, order: string[]][] = [
    ['name',                         ['Ann 1980', 'Bo 1990', 'Bo 1970']],
    ['-birthdate',                   ['Bo 1990', 'Ann 1980', 'Bo 1970']],
    ['name,-birthdate',              ['Ann 1980', 'Bo 1990', 'Bo 1970']],
    ['-name,birthdate',              ['Bo 1970', 'Bo 1990', 'Ann 1980']],
    ['name,-birthdate,-created_at',  ['Ann 1980', 'Bo 1990', 'Bo 1970']],
  ]
  for (const [sort, order] of sorts) {
    test(`sort=${sort} orders a company's employees`, async () => {
      for (const slash of ['', '/']) {
        const list = (await bodyOf(`${under()}${slash}?sort=${sort}`)) as Made[]
        expect(
          list.map(({ name, birthdate }) => `${name} ${String(birthdate).slice(0, 4)}`),
        ).toEqual(order)
      }
    })
  }

  test('sort=-created_at orders every collection', async () => {
    for (const path of ['/employees', '/companies']) {
      const times = ((await bodyOf(`${path}?sort=-created_at`)) as Made[]).map(
        ({ created_at }) => created_at,
      )
      expect(times).toEqual([...times].sort().reverse())
      expect(times.length).toBeGreaterThan(2)
    }
  })

  test('first and last are the ends', async () => {
    for (const path of ['/employees', '/companies', under(), `/companies/${mine.id}/customers`]) {
      const list = (await bodyOf(path)) as Made[]
      expect(await bodyOf(`${path}/first`)).toEqual(list[0])
      expect(await bodyOf(`${path}/last`)).toEqual(list.at(-1))
    }
    expect(await bodyOf(`${under()}/first?sort=-birthdate`)).toMatchObject({
      birthdate: '1990-01-01',
    })
    expect(await bodyOf(`${under()}/last?sort=-birthdate`)).toMatchObject({
      birthdate: '1970-01-01',
    })
  })

  test('count is the number of elements', async () => {
    const list = (await bodyOf('/employees')) as Made[]
    expect(await bodyOf('/employees/count')).toEqual({ count: list.length })
    expect(await bodyOf(`${under()}/count`)).toEqual({ count: 3 })
    expect(await bodyOf(`${under()}/count?q=bo`)).toEqual({ count: 2 })
  })

  test('reserved words are never ids', async () => {
    for (const word of ['first', 'last', 'count']) {
      for (const method of ['POST', 'PUT', 'DELETE']) {
        const { status, headers } = await send(method, `/employees/${word}`, person)
        expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
      }
      expect(await send('POST', '/employees', { ...person, id: word })).toMatchObject({
        status: 422,
      })
    }
  })
})

describe('"Naming rules"', () => {
  // biome-ignore format: a row stays a line
  const paths: [path: string, status: number][] = [
    ['/getEmployees',            404],
    ['/employees/create',        404],
    ['/employee',                404],
    ['/company',                 404],
    ['/customers',               404],
    ['/employees/{id}',          404],
    ['/companies/{mine}',        200],
    ['/companies/{mine}/customers', 200],
    ['/companies/{mine}/employees', 200],
    ['/companies/{mine}/customer',  404],
  ]
  for (const [path, status] of paths) {
    test(`${path} is ${status}`, async () => {
      expect(await send('GET', path.replace('{mine}', mine.id))).toMatchObject({ status })
    })
  }

  test('nesting is ownership', async () => {
    const made = await make(`/companies/${mine.id}/employees`, person)
    expect(made.company_id).toBe(mine.id)
    expect(await bodyOf(`/employees/${made.id}`)).toEqual(made)
    const elsewhere = `/companies/${other.id}/employees`
    expect(await bodyOf(elsewhere)).toEqual([])
    for (const method of ['GET', 'DELETE']) {
      expect(await send(method, `${elsewhere}/${made.id}`)).toMatchObject({ status: 404 })
    }
    expect(await send('DELETE', elsewhere)).toMatchObject({ body: { deleted: 0 } })
    expect(await send('POST', elsewhere, { ...person, company_id: mine.id })).toMatchObject({
      status: 422,
    })
    expect(await send('GET', '/companies/nobody/employees')).toMatchObject({ status: 404 })
  })
})

describe('"Resources"', () => {
  for (const field of ['name', 'birthdate', 'created_at']) {
    test(`employees are sorted by ${field}`, async () => {
      for (const sort of [field, `-${field}`]) {
        const values = ((await bodyOf(`/employees?sort=${sort}`)) as Made[]).map((one) =>
          String(one[field]),
        )
        const sorted = [...values].sort()
        expect(values).toEqual(sort === field ? sorted : sorted.reverse())
      }
    })
  }
})

describe('"Errors"', () => {
  test('every status is 2xx, 4xx or 5xx', () => {
    expect(statuses.every((status) => [2, 4, 5].includes(Math.floor(status / 100)))).toBe(true)
    expect(Object.values(problems).every(({ status }) => statuses.includes(status))).toBe(true)
  })

  // biome-ignore format: a row stays a line
  const faults: [method: string, url: string, body: unknown, status: number][] = [
    ['GET',    '/employees?sort=salary',  undefined,       400],
    ['POST',   '/employees',              '{',             400],
    ['GET',    '/employees/nobody',       undefined,       404],
    ['POST',   '/employees/nobody',       person,          405],
    ['POST',   '/employees',              { name: '' },    422],
  ]
  for (const [method, url, body, status] of faults) {
    test(`${method} ${url} says code and message`, async () => {
      const answer = await send(method, url, body)
      const { code, message } = answer.body as ProblemBody
      expect([answer.status, typeof code, typeof message]).toEqual([status, 'string', 'string'])
      expect(answer.headers['content-type']).toBe('application/problem+json')
      expect(message).not.toBe('')
    })
  }
})

describe('"Limits"', () => {
  test('there are no more than twelve statuses', () => {
    expect(new Set(statuses).size).toBeLessThanOrEqual(12)
  })
})

describe('"Versioning"', () => {
  test('the version is the first segment', async () => {
    expect(await bodyOf('/v1/employees')).toEqual(await bodyOf('/employees'))
    expect(await bodyOf(`/v1/companies/${mine.id}`)).toEqual(mine)
  })

  for (const version of ['v3', 'v0', 'v01', 'V1', 'v1.0', 'latest', '2024-01-01', '1']) {
    test(`${version} is unknown`, async () => {
      expect(await send('GET', `/${version}/employees`)).toMatchObject({ status: 404 })
    })
  }

  test('a header names no version', async () => {
    const registry = await exampleRegistry()
    const headers = { 'accept-version': '2', 'x-api-version': '2024-01-01' }
    expect(handle({ method: 'GET', url: '/employees', headers }, registry)).toMatchObject({
      status: 200,
    })
  })
})
