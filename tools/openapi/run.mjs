// Everything that judges the OpenAPI document from outside. Needs `npm ci` in this folder and Node ≥ 24.18 (Prism):
// node_modules/.bin/node tools/openapi/run.mjs
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

for (const name of ['lint', 'answers', 'prism', 'types', 'clients']) {
  const start = performance.now()
  console.log(`\n-- ${name}`)
  const script = fileURLToPath(new URL(`${name}.mjs`, import.meta.url))
  const { status } = spawnSync(process.execPath, ['--conditions=nounful:source', script], {
    stdio: 'inherit',
  })
  console.log(`-- ${name}: ${Math.round((performance.now() - start) / 1000)} s`)
  if (status !== 0) process.exit(status ?? 1)
}
