import { createClient, type DeprecationNotice, isProblem } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { expect, test } from 'vitest'
import { type endingApi, endingRegistry } from '../support/ending.ts'

function start(onDeprecated?: (notice: DeprecationNotice) => void) {
  const fetch = toFetchHandler(endingRegistry().registry)
  return createClient<typeof endingApi>({ baseUrl: 'http://api.example', fetch, onDeprecated })
}

test('tells of a deprecated version once', async () => {
  const notices: DeprecationNotice[] = []
  const { v2, v3 } = start((notice) => notices.push(notice))
  await v3.firms.list()
  await v2.companies.list()
  await v2.companies('7').read()
  expect(notices).toEqual([
    {
      version: 'v2',
      deprecated: new Date('2026-11-01T00:00:00Z'),
      sunset: new Date('2027-11-01T00:00:00Z'),
      successor: '/v3/firms',
      docs: 'https://example.com/v2-to-v3',
    },
  ])
})

test('tells of a path with dates of its own', async () => {
  const notices: DeprecationNotice[] = []
  const { v3 } = start((notice) => notices.push(notice))
  await v3.faxes.list()
  await v3.faxes('1').read()
  expect(notices.map(({ version, sunset, docs }) => ({ version, sunset, docs }))).toEqual([
    { version: 'v3', sunset: undefined, docs: '/versions' },
  ])
})

test('tells before it throws a problem', async () => {
  const notices: DeprecationNotice[] = []
  const { v2 } = start((notice) => notices.push(notice))
  const error = await v2
    .companies('none')
    .read()
    .catch((thrown: unknown) => thrown)
  expect(isProblem(error)).toBe(true)
  expect(notices).toHaveLength(1)
})

test('ignores the error of a listener', async () => {
  const { v2 } = start(() => {
    throw new Error('the log is full')
  })
  expect(await v2.companies.count()).toBe(3)
})

test('refuses a listener that is no function', () => {
  const options = { baseUrl: 'http://api.example', onDeprecated: 'log' }
  expect(() => Reflect.apply(createClient, undefined, [options])).toThrow(
    '"onDeprecated" must be a function',
  )
})
