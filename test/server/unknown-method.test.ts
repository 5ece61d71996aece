import { expect, test } from 'vitest'
import { faultOfMethod } from '../../src/server/unknown-method.ts'
import { mapOf, notesWith } from '../support/registry.ts'

const { registry } = notesWith(mapOf())

// biome-ignore format: a row stays a line
const rows: readonly (readonly [method: string, url: string, code: string | undefined])[] = [
  ['FOO', '/v1/notes',     'method_not_allowed'],
  ['FOO', '/v1/nothing',   'unknown_resource'],
  ['FOO', '/v1/notes/%zz', 'bad_percent_encoding'],
  ['GET', '/v1/notes',     undefined],
]
for (const [method, url, code] of rows) {
  test(`${method} ${url}: ${code ?? 'no fault'}`, () => {
    expect(faultOfMethod({ method, url }, registry)?.code).toBe(code)
  })
}
