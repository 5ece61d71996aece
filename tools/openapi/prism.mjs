// Prism, a proxy that checks requests and responses against the document, before the example. It
// runs twice: first it lets everything through and reports, which covers the responses to faulty
// requests too; then it refuses.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request as send } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { documentOptions } from '../../examples/companies/documents.ts'
import { registry } from '../../examples/companies/registry.ts'
import * as sample from '../../examples/companies/sample.ts'
import { serve } from '../../src/node.ts'
import { openApiAt } from '../../src/openapi.ts'
import { requestsTo } from '../../test/openapi/requests.ts'

const count = Number(process.argv[2] ?? 1500)
const seed = Number(process.argv[3] ?? Date.now() % 2 ** 31)
const prism = fileURLToPath(new URL('../node_modules/.bin/prism', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'nounful-prism-'))
const file = join(folder, 'openapi.json')
const items = Object.fromEntries(
  Object.entries(sample).flatMap(([name, list]) => list.map((item, place) => [name + place, item])),
)

// A validating proxy needs the whole: every method, and every body in the schemas.
const options = { ...documentOptions, methods: 'all', arrays: 'union' }
const layers = [openApiAt('/openapi.json', registry, options)]
const server = await serve(registry, { port: 0, layers })
const served = await ask(server.port, { method: 'GET', url: '/openapi.json' })
writeFileSync(file, served.body)

// Cases that Prism 5.16 cannot check. It answers every HEAD with 500 and GET with a body with 501,
// and never answers a body that is no JSON. A broken escape in a path ends it, and it takes `/x/.`
// for `/x/`. Of a PATCH with the body `null`, it sends the length without the body. It demands of
// OPTIONS a valid id and no body, though OPTIONS looks at neither. answers.mjs checks the responses
// to those against the document.
const sound = requestsTo({ registry, options, items }).filter(
  ({ method, url, body }) =>
    isJson(body ?? 'null') &&
    !/%zz|\/\.(?:[/?]|$)/.test(url) &&
    method !== 'HEAD' &&
    (method !== 'PATCH' || body !== 'null') &&
    (method !== 'OPTIONS' || (url.length < 200 && !/\/(?:first|last|count)\//.test(url))) &&
    (!['GET', 'OPTIONS'].includes(method) || body === undefined),
)
const requests = fc.sample(sound, { numRuns: count, seed })
const faults = []
const tally = { sent: 0, accepted: 0, answers: {} }
const proxies = await Promise.all([startPrism([]), startPrism(['--errors'])])
try {
  for (const request of requests) {
    tally.sent++
    const seen = await ask(proxies[0].port, request)
    judge(request, seen)
    const strict = await ask(proxies[1].port, request)
    if (!isPrisms(strict)) continue
    // Refused by the document: then the service must refuse it as well.
    const own = await ask(server.port, request)
    if (own.status < 400) faults.push(['refuses what is accepted', request, strict.body])
  }
} finally {
  for (const { child } of proxies) child.kill()
  await server.close()
  rmSync(folder, { recursive: true })
}
console.log(`Seed ${seed}: ${JSON.stringify(tally)}`)
for (const fault of faults.slice(0, 20)) console.log(JSON.stringify(fault))
console.log(faults.length === 0 ? 'No violation.' : `${faults.length} violations.`)
process.exitCode = faults.length === 0 ? 0 : 1

function judge(request, { status, headers, body }) {
  const place = `${request.method} ${status}`
  tally.answers[place] = (tally.answers[place] ?? 0) + 1
  if (isPrisms({ headers, body })) {
    faults.push(['prism itself', request, body])
    return
  }
  if (status < 400) tally.accepted++
  const violations = JSON.parse(headers['sl-violations'] ?? '[]')
  for (const violation of violations) {
    const isOfAnswer = violation.location[0] === 'response'
    if (isOfAnswer || status < 400) faults.push([request, status, body.slice(0, 200), violation])
  }
}

function isJson(text) {
  try {
    return JSON.parse(text) !== undefined
  } catch {
    return false
  }
}

function isPrisms({ body }) {
  return body.includes('stoplight.io/prism')
}

async function startPrism(options) {
  const port = await freePort()
  const upstream = `http://127.0.0.1:${server.port}`
  const child = spawn(
    process.execPath,
    [prism, 'proxy', file, upstream, '--port', `${port}`, '--host', '127.0.0.1', ...options],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  process.once('exit', () => child.kill())
  let said = ''
  await new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error(`Prism did not start: ${said}`)))
    child.stdout.setEncoding('utf8').on('data', (text) => {
      said = (said + text).slice(-10_000)
      if (said.includes('is listening')) resolve()
    })
  })
  return { port, child }
}

async function freePort() {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address()
  probe.close()
  await once(probe, 'close')
  return port
}

// Requests that an HTTP library of a client would refuse.
function sendable(url) {
  return url.replaceAll(/[^!-~]/gu, encodeURIComponent)
}

function ask(port, { method, url, headers = {}, body }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
    const sent = send(
      { host: '127.0.0.1', port, method, path: sendable(url), headers: { ...headers, ...length } },
      async (response) => {
        response.setEncoding('utf8')
        let text = ''
        for await (const part of response) text += part
        resolve({ status: response.statusCode, headers: response.headers, body: text })
      },
    )
    sent.setTimeout(3000, () =>
      sent.destroy(new Error(`No answer to ${method} ${url} ${JSON.stringify(headers)} ${body}`)),
    )
    sent.on('error', reject).end(body)
  })
}
