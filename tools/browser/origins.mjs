import { same } from './open.mjs'

/** Makes a check that runs a function on an empty page of another origin. */
const runOn =
  (from, api, run, expected) =>
  async (page, { origins }) => {
    await page.goto(origins[from])
    same(await page.evaluate(run, origins[api]), expected, `from ${origins[from]}`)
  }

const onPage = (...check) => runOn('listed', ...check)

// Chromium reports a refusal or a cut as an error.
const faultyOn =
  (...check) =>
  async (page, places) => {
    await runOn(...check)(page, places)
    page.faults.length = 0
  }

async function readList(api) {
  const response = await fetch(`${api}/v1/notes?limit=1&sort=id`, {
    headers: { prefer: 'count=exact' },
  })
  const header = (name) => response.headers.get(name)
  const items = await response.json()
  return [
    response.status,
    header('x-total-count'),
    header('preference-applied'),
    /rel="next"/.test(header('link')),
    items.length,
  ]
}

async function replace(api) {
  const read = await fetch(`${api}/v1/notes/1`)
  const etag = read.headers.get('etag')
  const item = await read.json()
  const put = (tag) =>
    fetch(`${api}/v1/notes/1`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'if-match': tag },
      body: JSON.stringify(item),
    })
  const fresh = await put(etag)
  const stale = await put(etag)
  const changed = fresh.headers.get('etag') !== etag
  return [/^"\d+"$/.test(etag), fresh.status, changed, stale.status, (await stale.json()).code]
}

async function readProblems(api) {
  const missing = await fetch(`${api}/v1/notes/none`)
  // It has a preflight, of a path that names nothing.
  const unknown = await fetch(`${api}/v1/none`, { method: 'DELETE', headers: { 'x-own': '1' } })
  const invalid = await fetch(`${api}/v1/notes`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"text":7}',
  })
  const { code, issues } = await invalid.json()
  const codes = [(await missing.json()).code, (await unknown.json()).code, code]
  return [missing.status, unknown.status, invalid.status, ...codes, issues[0].pointer]
}

// Only a preflight lets a page send these.
async function change(api) {
  const json = { 'content-type': 'application/json' }
  const created = await fetch(`${api}/v1/notes`, {
    method: 'POST',
    headers: { ...json, 'idempotency-key': crypto.randomUUID(), 'x-own': '1' },
    body: '{"text":"new"}',
  })
  const url = new URL(created.headers.get('location'), api)
  const body = JSON.stringify({ ...(await created.json()), text: 'other' })
  const replaced = await fetch(url, { method: 'PUT', headers: json, body })
  const merge = { 'content-type': 'application/merge-patch+json' }
  const patched = await fetch(url, { method: 'PATCH', headers: merge, body: '{"text":"third"}' })
  const deleted = await fetch(url, { method: 'DELETE' })
  return [created.status, replaced.status, patched.status, deleted.status]
}

async function keepSession(api) {
  await fetch(`${api}/login`, { credentials: 'include' })
  const cookieWith = async (credentials) => {
    const response = await fetch(`${api}/me`, { credentials })
    return (await response.json()).cookie
  }
  return [await cookieWith('include'), await cookieWith('omit')]
}

async function tryAll(api) {
  const asked = [
    fetch(`${api}/v1/notes`),
    fetch(`${api}/v1/notes/none`),
    fetch(`${api}/v1/notes/1`, { method: 'DELETE' }),
    fetch(`${api}/v1/notes`, { credentials: 'include' }),
    fetch(`${api}/health`),
  ]
  return (await Promise.allSettled(asked)).map(({ status }) => status)
}

async function sendOther(api) {
  const asked = [fetch(`${api}/v1/notes`, { headers: { 'x-other': '1' } })]
  return (await Promise.allSettled(asked)).map(({ status }) => status)
}

async function readLong(api) {
  const lengthOf = async (target) => {
    const response = await fetch(api + target)
    const body = await response.json()
    return body.text?.length ?? body.length
  }
  const isCut = await fetch(`${api}/v1/losses`)
    .then((response) => response.text())
    .then(
      () => false,
      () => true,
    )
  return [await lengthOf('/v1/notes/3'), await lengthOf('/v1/streams'), isCut]
}

const list = [200, '3', 'count=exact', true, 1]
const replaced = [true, 200, true, 409, 'precondition_failed']
const problems = [404, 404, 422, 'not_found', 'unknown_resource', 'validation_failed', '/text']
const long = [10_000, 20_000, true]
const refused = Array(5).fill('rejected')

const runs = [
  ['api', 'cors'],
  ['compressed', 'cors and compress'],
].flatMap(([api, name]) => [
  [`${name}: a page reads a list, its total and its pages`, onPage(api, readList, list)],
  [`${name}: a page replaces an item by its ETag`, onPage(api, replace, replaced)],
  [`${name}: a page reads problems`, onPage(api, readProblems, problems)],
  [`${name}: a page creates, changes and deletes`, onPage(api, change, [201, 200, 200, 200])],
  [`${name}: a page keeps a session`, onPage(api, keepSession, ['who=ada', null])],
  [`${name}: a page reads long bodies, and notices a cut`, faultyOn('listed', api, readLong, long)],
  [`${name}: a page may not send any header`, faultyOn('listed', api, sendOther, ['rejected'])],
  [`${name}: a page that is not listed reads nothing`, faultyOn('stranger', api, tryAll, refused)],
])

/** Chromium gets the bodies compressed, by its own account. */
async function seeCoding(page, { origins: { listed, api, compressed } }) {
  await page.goto(listed)
  const codings = []
  for (const url of [api, compressed]) {
    const coming = page.waitForResponse(`${url}/v1/notes/3`)
    await page.evaluate((target) => fetch(target).then((got) => got.text()), `${url}/v1/notes/3`)
    const response = await coming
    const names = ['content-encoding', 'vary']
    codings.push(await Promise.all(names.map((name) => response.headerValue(name))))
  }
  same(
    codings,
    [
      [null, 'Origin'],
      ['br', 'Origin, Accept-Encoding'],
    ],
    'codings',
  )
}

export const origins = [...runs, ['cors and compress: Chromium reads br', seeCoding]]
