import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { handle, type Layer, type Registry } from 'nounful'
import { toFetchHandler } from 'nounful/fetch'
import { expect, test, vi } from 'vitest'
import { rules } from '../../src/trial/check/run.ts'
import { read, writeSnippets } from './snippets.ts'

interface Served {
  readonly registry: Registry
  readonly layers: readonly Layer[]
}

const served: Served[] = []
vi.mock('nounful/node', () => ({
  serve: async (registry: Registry, { layers = [] }: Partial<Served>) => {
    served.push({ registry, layers })
    return { url: 'http://127.0.0.1:3000' }
  },
}))

const page = read('README.md')
const uuid = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}/g

test('the quick start responds as README.md shows', async () => {
  const [{ path } = { path: '' }] = writeSnippets('README.md', 'readme')
  const log = vi.spyOn(console, 'log').mockReturnValue()
  await import(/* @vite-ignore */ path)
  expect(log).toHaveBeenCalledWith('http://127.0.0.1:3000')
  log.mockRestore()
  const exchanges = [...page.matchAll(/```sh\n(curl [\s\S]*?)```[\s\S]*?```json\n([\s\S]*?)```/g)]
  expect(exchanges.length).toBe(1)
  for (const [, commands = '', shown = ''] of exchanges) {
    const bodies: unknown[] = []
    for (const command of commands.trim().split('\n')) bodies.push(await bodyOf(command))
    const lines = bodies.length === 1 ? [shown] : shown.trim().split('\n')
    expect(named(bodies)).toEqual(named(lines.map((line) => JSON.parse(line))))
  }
})

async function bodyOf(command: string): Promise<unknown> {
  const [, url = ''] = /http:\/\/127\.0\.0\.1:3000([^' ]*)/.exec(command) ?? []
  const [, body] = /-d '([^']*)'/.exec(command) ?? []
  const { registry } = service()
  const headers = { 'content-type': 'application/json' }
  const request =
    body === undefined ? { method: 'GET', url } : { method: 'POST', url, headers, body }
  return (await handle(request, registry)).body
}

function service(): Served {
  const [first] = served
  if (first === undefined) throw new Error('README.md starts no server')
  return first
}

test('the quick start has a page and a home document', async () => {
  const { registry, layers } = service()
  const fetch = toFetchHandler(registry, { layers })
  const typeOf = async (accept: string) => {
    const response = await fetch(new Request('http://x.example/', { headers: { accept } }))
    return [response.status, response.headers.get('content-type')]
  }
  expect(await typeOf('text/html,*/*;q=0.8')).toEqual([200, 'text/html; charset=utf-8'])
  expect(await typeOf('*/*')).toEqual([200, 'application/json'])
})

test('the command line lists the routes of the quick start', async () => {
  const [{ path } = { path: '' }] = writeSnippets('README.md', 'routes')
  expect(page).toContain('`npx nounful routes server.ts`')
  const flags = ['--disable-warning=ExperimentalWarning', '--conditions=nounful:source']
  const command = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...flags,
    command,
    'routes',
    path,
  ])
  expect(stdout).toContain('\n/v1/notes\n  notes\n')
}, 60_000)

/** Gives all ids one name: each server makes its own. */
function named(bodies: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(bodies).replace(uuid, 'id'))
}

test('README.md has at most 700 words', () => {
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(700)
})

test('README.md counts the rules of "check"', () => {
  expect(page).toContain(` ${rules.length} rules`)
})

test('README.md has the commands that the gate runs', () => {
  expect(page).toContain('\nnpm ci && npm start\n')
  expect(page).toContain('\nnpm ci && npm test\n')
})
