import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type Document, documentAt, type Layer } from 'nounful/openapi'

// Nothing from elsewhere, and nothing that is written into the page itself.
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

// Addresses are relative, so that the page works below any prefix.
const page = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Companies</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="docs/swagger-ui.css">
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</html>
`
const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  validatorUrl: null,
})
`

/** Serves Swagger UI for `/openapi.json` at `/docs`; nothing where its package is missing. */
export function docsLayers(): readonly Layer[] {
  const folder = folderOf('swagger-ui-dist')
  if (folder === undefined) return []
  const file = (name: string, type: string): Layer =>
    documentAt(`/docs/${name}`, () => shown(readFileSync(folder + name, 'utf8'), type))
  return [
    documentAt('/docs', () => shown(page, 'text/html')),
    documentAt('/docs/start.js', () => shown(start, 'text/javascript')),
    file('swagger-ui-bundle.js', 'text/javascript'),
    file('swagger-ui.css', 'text/css'),
  ]
}

function shown(body: string, type: string): Document {
  return {
    type: `${type}; charset=utf-8`,
    body,
    headers: {
      'content-security-policy': policy,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
    },
  }
}

function folderOf(name: string): string | undefined {
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`)
    return manifest.slice(0, -'package.json'.length)
  } catch {
    return undefined
  }
}
