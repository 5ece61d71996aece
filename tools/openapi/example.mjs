// The running example for the checks: on a database and a port of its own, until it ends.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../examples/companies/node.ts', import.meta.url))

/**
 * Starts the example and gives its url.
 *
 * @returns {Promise<string>}
 */
export async function startExample() {
  const folder = mkdtempSync(join(tmpdir(), 'nounful-example-'))
  const child = spawn(process.execPath, ['--conditions=nounful:source', program], {
    env: { ...process.env, PORT: '0', DATABASE_FILE: join(folder, 'companies.sqlite') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  process.once('exit', () => {
    child.kill()
    rmSync(folder, { recursive: true, force: true })
  })
  return new Promise((resolve, reject) => {
    let said = ''
    child.once('exit', () => reject(new Error(`The example did not start: ${said}`)))
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said += text
      const [, found] = /Listening on (\S+?),/.exec(said) ?? []
      if (found) resolve(found)
    })
  })
}
