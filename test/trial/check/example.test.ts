import { serve } from 'nounful/node'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openConnection } from '../../../src/trial/check/connection.ts'
import { findCollections } from '../../../src/trial/check/find.ts'
import { runRules } from '../../../src/trial/check/run.ts'
import { exampleRegistry } from '../../support/companies.ts'
import { checkAt } from './check-at.ts'

describe('a server that keeps every rule', { timeout: 60_000 }, () => {
  let server: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    server = await serve(await exampleRegistry(), { port: 0 })
  })
  afterAll(() => server.close())
  const storedAt = async () => {
    const paths = ['employees', 'companies', 'companies/001/customers', 'companies/002/customers']
    return Promise.all(paths.map(async (path) => (await fetch(`${server.url}/v1/${path}`)).json()))
  }

  for (const isWriting of [false, true]) {
    test(`breaks none, ${isWriting ? 'also when written to' : 'read only'}`, async () => {
      const before = await storedAt()
      const { verdicts, left } = await checkAt(server.url, { isWriting })
      expect(verdicts.flatMap(({ faults }) => faults)).toEqual([])
      expect(left).toEqual([])
      expect(await storedAt()).toEqual(before)
    })
  }

  test('is only read from without leave to write', async () => {
    const connection = openConnection({
      origin: server.url,
      headers: {},
      timeout: 5000,
      requests: 20_000,
    })
    await runRules(connection, await findCollections(connection.send, '/', []), undefined)
    connection.close()
    const methods = [...new Set(connection.log.map(({ request }) => request.method))].sort()
    expect(methods).toEqual(['GET', 'HEAD', 'OPTIONS', 'PROPFIND', 'REPORT', 'SEARCH'])
  })
})
