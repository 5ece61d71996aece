import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Kysely } from 'kysely'
import { onTestFinished } from 'vitest'
import type { Registry } from '../../src/contract/resource/registry.ts'
import { toFetchHandler } from '../../src/fetch.ts'
import { openFile } from '../../src/file/open.ts'
import { type ProjectFiles, projectFiles } from '../../src/project/files.ts'
import { projectOfFile } from '../../src/project/from-file.ts'
import { createTestFile } from '../support/served-file.ts'

const folder = new URL('../.snippets/project/', import.meta.url)

/** A response as a client gets it. */
export interface Answer {
  readonly status: number
  /** The headers and the body, as text. */
  readonly text: string
}

/** Sends a request line, with an item as its body. */
export type Ask = (line: string, item?: unknown) => Promise<Answer>

/** Writes the files of a project into a folder of this repository, where its imports resolve. */
export function writeProject(name: string, files: ProjectFiles): URL {
  const place = new URL(`${name}/`, folder)
  rmSync(place, { recursive: true, force: true })
  mkdirSync(place, { recursive: true })
  // With a package.json of its own, the folder would be no part of this repository.
  for (const [file, text] of Object.entries(files))
    if (!file.endsWith('.json')) writeFileSync(new URL(file, place), text)
  return place
}

/** Opens a file as `nounful serve` does, and the project that `nounful init` makes of it. */
export async function openBoth(name: string, content: unknown) {
  const { path } = createTestFile(content)
  const project = await projectOfFile(path, { title: name, id: 'id' })
  const place = writeProject(name, projectFiles(project))
  const { openDatabase } = await import(fileURLToPath(new URL('database.ts', place)))
  const { createRegistry } = await import(fileURLToPath(new URL('service.ts', place)))
  const db: Kysely<unknown> = openDatabase(':memory:')
  onTestFinished(() => db.destroy())
  const registry: Registry = createRegistry(db)
  return { project, registry, serve: await askServed(path), ask: asking(registry) }
}

async function askServed(path: string): Promise<Ask> {
  let registry: Registry | undefined
  const file = await openFile(path, {
    ...{ id: 'id', ids: undefined, isStrict: false, isReadOnly: false, isWatched: false },
    ...{ onNotice: () => undefined, onError: () => undefined },
    onServed: (served) => {
      registry = served.registry
    },
  })
  onTestFinished(() => file.close())
  if (registry === undefined) throw new Error('Nothing is served')
  return asking(registry)
}

function asking(registry: Registry): Ask {
  const answer = toFetchHandler(registry)
  return async (line, item) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = item === undefined ? {} : { 'content-type': 'application/json' }
    const body = item === undefined ? null : JSON.stringify(item)
    const request = new Request(`http://localhost${path}`, { method, headers, body })
    const response = await answer(request)
    const lines = [...response.headers].map((header) => header.join(': '))
    return { status: response.status, text: [...lines, await response.text()].join('\n') }
  }
}
