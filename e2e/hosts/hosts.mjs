// The start of each example, and its host's own behaviour. A row in `differs` must still differ.
const compiled = { builds: [['typescript/bin/tsc']], start: ['dist/app.js'] }

// A host's parser rejects these bodies itself, or hides their fault.
const parsed = (says, { json = says, tooLarge = says } = {}) => ({
  'broken JSON': { status: 400, says: json, because: 'the host parses it' },
  'a key twice': { status: 409, says: /"conflict"/, because: 'parsers keep the last' },
  'a body of 2 MiB': { status: 413, says: tooLarge, because: 'the host has a limit of its own' },
})
// `URL` resolves dots before the router sees them: the rest names a version.
const resolved = { status: 200, says: /"versions"/, because: 'URL resolves dots' }
const dots = { dots: resolved, 'escaped dots': resolved }

const h3 = {
  'a broken escape': { status: 400, says: /^{"status":400/, because: 'h3 decodes paths' },
}

export const hosts = {
  express: {
    ...compiled,
    package: 'express',
    adds: ['x-powered-by'],
    unknown: /Cannot GET/,
    mounts: {
      '/api': {},
      '/parsed': {
        ...parsed(/SyntaxError/, { tooLarge: /PayloadTooLargeError/ }),
        'a body that is text': {
          status: 400,
          says: /SyntaxError/,
          because: 'express.json() takes objects and arrays only, unless told otherwise',
        },
      },
    },
  },
  fastify: {
    ...compiled,
    package: 'fastify',
    unknown: /Route GET:.* not found/,
    mounts: {
      '/api': fastify({}),
      '/parsed': fastify({
        ...parsed(/INVALID_JSON_BODY/, { tooLarge: /BODY_TOO_LARGE/ }),
        'a forbidden key': { status: 400, says: /INVALID_JSON_BODY/, because: 'Fastify parses it' },
        'a body that is text': {
          status: 400,
          says: /"json_invalid"/,
          because: 'parsed text looks like JSON text that nobody has parsed',
        },
        'no body': { status: 400, says: /EMPTY_JSON_BODY/, because: 'Fastify parses it' },
        'a form': {
          status: 415,
          says: /INVALID_MEDIA_TYPE/,
          because: 'Fastify has no parser for it',
        },
      }),
    },
  },
  koa: {
    ...compiled,
    package: 'koa',
    unknown: /^Not Found$/,
    mounts: {
      '/api': {},
      '/parsed': {
        ...parsed(/Bad Request/, { tooLarge: /request entity too large/ }),
        'a forbidden key': {
          status: 400,
          says: /Bad Request/,
          because: 'koa-bodyparser refuses it',
        },
        'a body that is text': {
          status: 400,
          says: /Bad Request/,
          because: 'koa-bodyparser takes objects and arrays only, unless told otherwise',
        },
      },
    },
  },
  hono: {
    ...compiled,
    package: 'hono',
    beside: /^404 Not Found$/,
    mounts: { '/api': dots, '/parsed': dots },
  },
  h3: {
    ...compiled,
    package: 'h3',
    beside: /"status":404/,
    mounts: { '/api': { ...dots, ...h3 }, '/parsed': { ...dots, ...h3 } },
  },
  nest: {
    ...compiled,
    package: '@nestjs/core',
    adds: ['x-powered-by'],
    unknown: /Cannot GET/,
    mounts: {
      '/api': {},
      '/parsed': {
        ...parsed(/"error":"Bad Request"/, { tooLarge: /request entity too large/ }),
        'a body that is text': {
          status: 400,
          says: /"error":"Bad Request"/,
          because: "Nest's parser takes objects and arrays only",
        },
        'a broken escape': {
          status: 400,
          says: /Failed to decode param/,
          because: 'the path of a Nest controller is decoded',
        },
      },
    },
  },
  next: {
    builds: [['next/dist/bin/next', 'build']],
    start: ['../node_modules/next/dist/bin/next', 'start', '--hostname', '127.0.0.1'],
    package: 'next',
    adds: ['vary'],
    lacks: ['content-length'],
    beside: /This page could not be found/,
    redirects: ['two slashes'],
    mounts: {
      '/api': {
        ...dots,
        'PROPFIND: 405': { status: 400, says: /^$/, because: 'Next.js knows seven methods' },
        'a broken escape': {
          status: 500,
          says: /Internal Server/,
          because: 'Next.js decodes paths',
        },
      },
    },
  },
  sveltekit: {
    builds: [['vite/bin/vite.js', 'build'], ['typescript/bin/tsc']],
    start: ['build'],
    package: '@sveltejs/kit',
    // Node 22.17.
    needs: 22,
    beside: /Not found/i,
    mounts: {
      '/api': {
        ...dots,
        'a broken escape': {
          status: 400,
          says: /<!doctype html>/,
          because: 'SvelteKit decodes paths',
        },
      },
    },
  },
}

function fastify(differs) {
  return {
    ...differs,
    'PROPFIND: 405': { status: 404, says: /Route PROPFIND/, because: 'Fastify has no such method' },
    'a broken escape': { status: 400, says: /FST_ERR_BAD_URL/, because: 'Fastify decodes paths' },
  }
}
