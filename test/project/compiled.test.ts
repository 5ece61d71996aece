import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { projectOfFile } from '../../src/project/from-file.ts'
import { starterProject } from '../../src/project/starter.ts'
import { faultsOf } from '../support/compile.ts'
import { createTestFile } from '../support/served-file.ts'
import { writeProject } from './exported.ts'
import { files } from './exported-files.ts'

async function pathsOfProjects(): Promise<readonly string[]> {
  const folders = [writeProject('text', starterProject('text'))]
  for (const [place, content] of Object.values(files).entries()) {
    const { path } = createTestFile(content)
    folders.push(
      writeProject(`text-${place}`, await projectOfFile(path, { title: 'text', id: 'id' })),
    )
  }
  return folders.flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => fileURLToPath(new URL(name, folder))),
  )
}

test('every file compiles, in the layout of a formatter', async () => {
  const paths = await pathsOfProjects()
  expect(await faultsOf(paths, 'project')).toBe('')
  const program = fileURLToPath(new URL('../../node_modules/.bin/biome', import.meta.url))
  const words = ['format', '--vcs-use-ignore-file=false', '--colors=off', ...paths]
  const { status, stderr } = spawnSync(program, words, { encoding: 'utf8' })
  expect([status, stderr]).toEqual([0, ''])
}, 120_000)
