import { describe, expect, test } from 'vitest'
import { explain } from '../../src/cli/explain/explain.ts'
import { explanationData, formatExplanation } from '../../src/cli/explain/format.ts'
import { createProgram } from '../../src/cli/program.ts'
import { formatRoutes, overdueIn, routesOf } from '../../src/cli/routes.ts'
import { endingApi, endingRegistry } from '../support/ending.ts'

const { registry } = endingRegistry()

describe('routes', () => {
  const routes = routesOf(registry)

  test('show when an operation ends', () => {
    const lines = formatRoutes(routes).split('\n')
    const lineOf = (path: string) => lines.find((line) => line.includes(` ${path} `)) ?? ''
    expect(lines[0]).toMatch(/ENDS$/)
    expect(lineOf('/v2/companies')).toMatch(/2027-11-01$/)
    expect(lineOf('/v3/faxes')).toMatch(/deprecated$/)
    expect(lineOf('/v3/firms')).toMatch(/200\s*$/)
  })

  test('have no such column where nothing ends', () => {
    const kept = routes.filter(({ deprecated }) => deprecated === null)
    expect(formatRoutes(kept)).not.toContain('ENDS')
  })

  test('have the end as data', () => {
    const dataOf = (path: string) => routes.find((route) => route.path === path)
    const end = { deprecated: '2026-11-01', sunset: '2027-11-01', successor: 'v3' }
    expect(dataOf('/v2/faxes')).toMatchObject({ ...end, docs: 'https://example.com/v2-to-v3' })
    const none = { deprecated: null, sunset: null, successor: null, docs: null }
    expect(dataOf('/v3/firms')).toMatchObject(none)
  })

  const times: readonly (readonly [now: string, warnings: readonly string[]])[] = [
    ['2027-10-31T23:59:59Z', []],
    ['2027-11-01T00:00:00Z', ['v2 was to end on 2027-11-01: retire it or move its sunset']],
  ]
  test.each(times)('warn at %s of the sunsets that have passed', (now, warnings) => {
    expect(overdueIn(endingApi, new Date(now))).toEqual(warnings)
  })
})

describe('explain', () => {
  const textOf = async (url: string, source: Parameters<typeof explain>[1] = registry) => {
    const request = { method: 'GET', url }
    const explanation = await explain(request, source)
    return { explanation, text: formatExplanation(request, explanation), request }
  }

  test('tells that the response announces the end', async () => {
    const { text, explanation, request } = await textOf('/v2/companies/7')
    expect(text).toContain(
      '\n  deprecated  2026-11-01\n  sunset      2027-11-01\n  successor   v3\n',
    )
    const end = { operation: { deprecated: '2026-11-01', sunset: '2027-11-01', successor: 'v3' } }
    expect(explanationData(request, explanation)).toMatchObject(end)
    expect((await textOf('/v3/firms/7')).text).not.toContain('deprecated')
  })

  test.each([registry, endingApi])('lets a retired version decide at version', async (source) => {
    const { explanation, text } = await textOf('/v1/companies', source)
    const deciding = explanation.checks.find(({ state }) => state === 'decides')
    expect(deciding?.name).toBe('version')
    expect(text).toContain('404 retired_version')
  })
})

describe('openapi', () => {
  test('describes one version of the api', async () => {
    const printed: string[] = []
    const program = createProgram({
      print: (text) => printed.push(text),
      warn: () => undefined,
      setExitCode: () => undefined,
      version: '1.0.0',
    })
    const module = 'test/support/ending.ts#endingApi'
    await program.parseAsync(['openapi', module, '--api-version', 'v2'], { from: 'user' })
    expect(Object.keys(JSON.parse(printed.join('')).paths)).toContain('/v2/companies')
    expect(printed.join('')).not.toContain('"/v3/')
    const unknown = program.parseAsync(['openapi', module, '--api-version', 'v9'], { from: 'user' })
    await expect(unknown).rejects.toThrow(/Unknown version "v9". The api has v2, v3/)
  })
})
