import { handle, type Registry } from 'nounful'
import { expect, test, vi } from 'vitest'
import { rules } from '../../src/trial/check/run.ts'
import { read, writeSnippets } from './snippets.ts'

const served: Registry[] = []
vi.mock('nounful/node', () => ({
  serve: async (registry: Registry) => {
    served.push(registry)
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
  expect(exchanges.length).toBe(2)
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
  const [registry] = served
  if (registry === undefined) throw new Error('README.md starts no server')
  const headers = { 'content-type': 'application/json' }
  const request =
    body === undefined ? { method: 'GET', url } : { method: 'POST', url, headers, body }
  return (await handle(request, registry)).body
}

/** Gives all ids one name: each server makes its own. */
function named(bodies: readonly unknown[]): unknown {
  return JSON.parse(JSON.stringify(bodies).replace(uuid, 'id'))
}

test('README.md has at most 1,500 words', () => {
  expect(page.split(/\s+/).length).toBeLessThanOrEqual(1500)
})

test('README.md counts the rules of "check"', () => {
  expect(page).toContain(` ${rules.length} rules`)
})

test('README.md has the commands that the gate runs', () => {
  expect(page).toContain('\nnpm ci && npm start\n')
  expect(page).toContain('\nnpm ci && npm test\n')
})
