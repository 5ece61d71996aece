// An older Node fails late and says something else: Node 20 cannot strip types, and vitest under
// it crashes only once a test fails.
const needed = '22.18.0'
const found = process.versions.node

if (found.localeCompare(needed, 'en', { numeric: true }) < 0) {
  console.error(`This repository's scripts need Node ${needed} or newer; found ${found}.
npm ci installs Node 24 for them on Linux (x64, arm64), unless optional dependencies are left out.
Elsewhere, install Node 24. The library itself runs on Node 20.19 or newer.`)
  process.exit(1)
}
