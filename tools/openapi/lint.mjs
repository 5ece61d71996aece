// redocly's strictest judgement of every document: no error, no warning.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documentsWith } from './documents.mjs'

const redocly = fileURLToPath(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'nounful-openapi-'))
try {
  lint(documentsWith('union'), [])
  // It does not follow the references of extensions; test/openapi looks for unused components.
  lint(documentsWith('extension'), ['--skip-rule=no-unused-components'])
} finally {
  rmSync(folder, { recursive: true })
}

function lint(documents, flags) {
  const files = Object.entries(documents).map(([name, document]) => {
    const file = join(folder, `${name}.json`)
    writeFileSync(file, JSON.stringify(document, null, 2))
    return file
  })
  const strict = ['lint', '--extends=recommended-strict', '--max-problems=1000']
  const { status } = spawnSync(process.execPath, [redocly, ...strict, ...flags, ...files], {
    stdio: 'inherit',
    cwd: folder,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
  })
  if (status !== 0) process.exitCode = status ?? 1
}
