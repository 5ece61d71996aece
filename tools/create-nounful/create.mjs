#!/usr/bin/env node
// `npm create nounful my-api -- --from db.json` is `nounful init my-api --from db.json`.
process.argv.splice(2, 0, 'init')
await import(new URL('dist/cli.js', import.meta.resolve('nounful/package.json')))
