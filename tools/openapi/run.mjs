// All outside checks of the OpenAPI document. Run `npm ci` in tools/ first. Prism needs Node ≥
// 24.18: node_modules/.bin/node tools/openapi/run.mjs
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
