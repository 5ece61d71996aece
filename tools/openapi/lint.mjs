// redocly's strictest judgement of every document: no error, no warning.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documents } from './documents.mjs'

const redocly = fileURLToPath(new URL('node_modules/@redocly/cli/bin/cli.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'nounful-openapi-'))
try {
  const files = Object.entries(documents).map(([name, document]) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(document, null, 2))
    return file
  })
  const { status } = spawnSync(
    process.execPath,
    [redocly, 'lint', '--extends=recommended-strict', '--max-problems=1000', ...files],
    {
      stdio: 'inherit',
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  )
  process.exitCode = status ?? 1
} finally {
  rmSync(folder, { recursive: true })
}
