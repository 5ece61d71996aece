import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { serve } from 'nounful/node'
import { expect, test } from 'vitest'
import { companiesRegistry } from '../support/companies.ts'

const path = fileURLToPath(new URL('../../examples/companies/client.ts', import.meta.url))

async function walk(...address: readonly string[]): Promise<string[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=nounful:source',
    path,
    ...address,
  ])
  return stdout.trim().split('\n')
}

test('the example runs against its own service', async () => {
  const lines = await walk()
  expect(lines[0]).toMatch(/^Created Walk & Sons, /)
  expect(lines.slice(1, 10)).toEqual([
    'Employees: Ida, Gita, Bo',
    'Found Bo, 1 in all',
    'Read 3 by id',
    'Renamed Ida to Ida Lund',
    'Would rename Ida Walk',
    'Renamed 3 at once',
    'A page of 2, more to come',
    'A page of 1, the last',
    'Ida Walk works for Walk & Sons',
  ])
  expect(lines.slice(-6)).toEqual([
    expect.stringMatching(/^Refused: too_many_affected, /),
    'Customers: 0',
    expect.stringMatching(/^Deleted .+: done$/),
    'Deleted nobody: not_found',
    'Deleted 2 employees',
    'Deleted Walk & Sons',
  ])
})

test('the example runs against a remote service', async () => {
  const server = await serve(companiesRegistry(), { port: 0 })
  expect(await walk(server.url)).toHaveLength(18)
  await server.close()
})
