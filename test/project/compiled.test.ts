import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { projectFiles, tenantFiles } from '../../src/project/files.ts'
import { projectOfFile } from '../../src/project/from-file.ts'
import { starterProject, tenantProject } from '../../src/project/starter.ts'
import { faultsOf } from '../support/compile.ts'
import { createTestFile } from '../support/served-file.ts'
import { writeProject } from './exported.ts'
import { files } from './exported-files.ts'

async function pathsOfProjects(): Promise<readonly string[]> {
  const service = tenantProject('text')
  const folders = [
    writeProject('text', projectFiles(starterProject('text'))),
    writeProject('text-tenants', tenantFiles(service, 'sqlite')),
    writeProject('text-postgres', tenantFiles(service, 'postgres')),
  ]
  for (const [place, content] of Object.values(files).entries()) {
    const { path } = createTestFile(content)
    const project = await projectOfFile(path, { title: 'text', id: 'id' })
    folders.push(writeProject(`text-${place}`, projectFiles(project)))
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
