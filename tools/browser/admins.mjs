// The small admins of react-admin and of refine, in tools/providers, over the example of tenants.
import { build } from 'esbuild'
import { createSample, tokensOf } from '../../examples/tenants/sample.ts'
import { openTenants } from '../../examples/tenants/service.ts'
import { openLogin } from '../../examples/tenants/tokens.ts'
import { serve } from '../../src/node.ts'
import { holds, same, waitFor } from './open.mjs'

const page = (token) => `<!doctype html><html lang="en"><head><title>Admin</title>
<link rel="icon" href="data:,"><script type="module" src="/admin.js"></script></head>
<body data-token="${token}"></body></html>`

const bundles = new Map()

/** Bundles an admin, once. */
function bundleOf(name) {
  const known = bundles.get(name)
  if (known !== undefined) return known
  const bundle = build({
    entryPoints: [new URL(`../providers/${name}.tsx`, import.meta.url).pathname],
    bundle: true,
    write: false,
    format: 'esm',
    jsx: 'automatic',
    conditions: ['nounful:source'],
    define: { 'process.env.NODE_ENV': '"production"' },
    logLevel: 'error',
  }).then(({ outputFiles }) => outputFiles[0].text)
  bundles.set(name, bundle)
  return bundle
}

/** Sends requests as a caller, and returns what they answer. */
const callsOf = (base, token) => async (method, path, body) => {
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(`${method} ${path}: ${JSON.stringify(answer)}`)
  return answer
}

/** Serves an admin of `ann` at `/`, its script, and the API beside them. */
async function openAdmin(name) {
  const login = await openLogin()
  const service = await openTenants(':memory:', login.keys)
  const tokens = await tokensOf(login)
  await createSample(service.registry, tokens)
  const files = new Map([
    ['/', ['text/html', page(tokens.ann)]],
    ['/admin.js', ['text/javascript', await bundleOf(name)]],
  ])
  const layer = (request, answer) => {
    const [type, body] = files.get(request.url) ?? []
    if (type === undefined) return answer(request)
    return { status: 200, headers: { 'content-type': `${type};charset=utf-8` }, body }
  }
  const server = await serve(service.registry, { port: 0, layers: [layer] })
  const callAs = (caller) => callsOf(`${server.url}/v1`, tokens[caller])
  const ann = callAs('ann')
  const owners = (await ann('GET', '/users?sort=name')).map(({ id }) => id)
  for (let place = 1; place <= 12; place++) {
    const project = { name: `P${`${place}`.padStart(2, '0')}`, owner_id: owners[place % 2] }
    await ann('POST', '/projects', project)
  }
  return {
    ...{ url: server.url, owners, ann, abe: callAs('abe') },
    /** Returns a project as it is stored: name, place of the owner, revision. */
    async stored(id) {
      const { name, owner_id, revision } = await ann('GET', `/projects/${id}`)
      return [name, owners.indexOf(owner_id), revision]
    },
    idOf: async (name) => (await ann('GET', `/projects?name=${name}`))[0].id,
    async close() {
      await server.close()
      await service.close()
    },
  }
}

/** What a list shows: names, owners, and the numbers of pages and items. */
async function shown(page) {
  const column = (place) => page.locator(`tbody td:nth-child(${place})`).allInnerTexts()
  const [names, owners] = await Promise.all([column(2), column(3)])
  return [names.join(' '), owners.join(','), await page.locator('#pages').innerText()]
}

const shows = (page, names, owners, pages) =>
  waitFor(() => shown(page), [names, owners, pages], 'the list')

const button = (page, name) => page.getByRole('button', { name, exact: true })
const field = (page, label) => page.getByLabel(label, { exact: true })

/** Presses a button, and returns the status of the response to a method. */
async function statusOf(page, name, method) {
  const response = page.waitForResponse((answer) => answer.request().method() === method)
  await button(page, name).click()
  return (await response).status()
}

const firstPage = ['Launch of Acme P01 P02 P03 P04', 'ann,ann jr,ann,ann jr,ann']

async function list(page) {
  await shows(page, ...firstPage, 'Page 1 of 3, 13 in total')
  holds(await button(page, 'Previous').isDisabled(), 'nothing precedes the first page')
  await button(page, 'Name').click()
  await shows(page, 'P12 P11 P10 P09 P08', 'ann,ann jr,ann,ann jr,ann', 'Page 1 of 3, 13 in total')
  same(await page.locator('[aria-sort]').getAttribute('aria-sort'), 'descending')
  await button(page, 'Next').click()
  await shows(
    page,
    'P07 P06 P05 P04 P03',
    'ann jr,ann,ann jr,ann,ann jr',
    'Page 2 of 3, 13 in total',
  )
  await button(page, 'Next').click()
  await shows(page, 'P02 P01 Launch of Acme', 'ann,ann jr,ann', 'Page 3 of 3, 13 in total')
  holds(await button(page, 'Next').isDisabled(), 'nothing follows the last page')
  await button(page, 'Previous').click()
  await shows(
    page,
    'P07 P06 P05 P04 P03',
    'ann jr,ann,ann jr,ann,ann jr',
    'Page 2 of 3, 13 in total',
  )
}

async function filter(page) {
  await shows(page, ...firstPage, 'Page 1 of 3, 13 in total')
  await button(page, 'Next').click()
  await field(page, 'Name contains').fill('P1')
  await shows(page, 'P10 P11 P12', 'ann,ann jr,ann', 'Page 1 of 1, 3 in total')
  await field(page, 'Owned by').selectOption({ label: 'ann' })
  await shows(page, 'P10 P12', 'ann,ann', 'Page 1 of 1, 2 in total')
  await field(page, 'Name contains').fill('')
  await shows(
    page,
    'Launch of Acme P02 P04 P06 P08',
    'ann,ann,ann,ann,ann',
    'Page 1 of 2, 7 in total',
  )
  await field(page, 'Owned by').selectOption({ label: 'None' })
  await shows(page, ...firstPage, 'Page 1 of 3, 13 in total')
}

async function edit(page, { idOf, stored }) {
  const id = await idOf('P01')
  await page.getByRole('link', { name: 'P01' }).click()
  // The owners come after the form.
  const owner = () => field(page, 'Owner').locator('option:checked').innerText()
  await waitFor(owner, 'ann jr')
  await field(page, 'Name').fill('P00')
  same(await statusOf(page, 'Save', 'PATCH'), 200)
  await shows(page, 'Launch of Acme P00 P02 P03 P04', firstPage[1], 'Page 1 of 3, 13 in total')
  same(await stored(id), ['P00', 1, 2], 'what is stored')
}

async function conflict(page, { abe, idOf, owners, stored }) {
  const id = await idOf('P02')
  await page.getByRole('link', { name: 'P02' }).click()
  await field(page, 'Name').fill('P02 of ann')
  await abe('PATCH', `/projects/${id}`, { owner_id: owners[1] })
  same(await statusOf(page, 'Save', 'PATCH'), 409)
  const alert = page.getByRole('alert').filter({ hasText: 'has changed since you read it' })
  await alert.waitFor()
  same(await stored(id), ['P02', 1, 2], 'what the other one stored')
  const read = async () => [
    await field(page, 'Name').inputValue(),
    await field(page, 'Owner').locator('option:checked').innerText(),
  ]
  same(await read(), ['P02 of ann', 'ann'], 'what the user typed')
  same(await statusOf(page, 'Save', 'PATCH'), 409, 'the same again')
  await button(page, 'Read again').click()
  await waitFor(read, ['P02 of ann', 'ann jr'], 'the form with the change of the other one')
  same(await statusOf(page, 'Save', 'PATCH'), 200)
  const [names] = firstPage
  await shows(
    ...[page, names.replace('P02', 'P02 of ann')],
    ...['ann,ann jr,ann jr,ann jr,ann', 'Page 1 of 3, 13 in total'],
  )
  same(await stored(id), ['P02 of ann', 1, 3], 'what is stored')
}

async function faults(page, { idOf, stored }) {
  const id = await idOf('P03')
  await page.getByRole('link', { name: 'P03' }).click()
  const faultOf = async (label) => {
    const described = await field(page, label).getAttribute('aria-describedby')
    return page.locator(`[id="${described}"]`).innerText()
  }
  const faulty = async () => [(await faultOf('Name')) !== '', (await faultOf('Owner')) !== '']
  same(await faulty(), [false, false])
  await field(page, 'Name').fill('')
  same(await statusOf(page, 'Save', 'PATCH'), 422)
  await waitFor(faulty, [true, false], 'a fault beside the name')
  await field(page, 'Name').fill('P03')
  await field(page, 'Owner').selectOption({ label: 'None' })
  same(await statusOf(page, 'Save', 'PATCH'), 422)
  await waitFor(faulty, [false, true], 'a fault beside the owner')
  same(await stored(id), ['P03', 1, 1], 'what is stored')
  await field(page, 'Owner').selectOption({ label: 'ann' })
  same(await statusOf(page, 'Save', 'PATCH'), 200)
  await shows(page, firstPage[0], 'ann,ann jr,ann,ann,ann', 'Page 1 of 3, 13 in total')
}

async function bulk(page, { ann, idOf, stored }) {
  const ids = await Promise.all(['P01', 'P03'].map(idOf))
  const select = async () => {
    for (const name of ['P01', 'P03']) await page.getByLabel(`Select ${name}`).check()
    await page.getByText('2 selected').waitFor()
  }
  await select()
  same(await statusOf(page, 'Change owner', 'PATCH'), 422, 'no owner')
  await page.getByRole('alert').filter({ hasText: /\S/ }).waitFor()
  await shows(page, ...firstPage, 'Page 1 of 3, 13 in total')
  await field(page, 'New owner').selectOption({ label: 'ann' })
  same(await statusOf(page, 'Change owner', 'PATCH'), 200)
  await page.getByText('0 selected').waitFor()
  await shows(page, firstPage[0], 'ann,ann,ann,ann,ann', 'Page 1 of 3, 13 in total')
  same(await Promise.all(ids.map(stored)), [
    ['P01', 0, 2],
    ['P03', 0, 2],
  ])
  await select()
  same(await statusOf(page, 'Delete', 'DELETE'), 200)
  await page.getByText('0 selected').waitFor()
  await shows(
    ...[page, 'Launch of Acme P02 P04 P05 P06', 'ann,ann,ann,ann jr,ann'],
    'Page 1 of 3, 11 in total',
  )
  same(await ann('GET', `/projects?${ids.map((id) => `id=${id}`).join('&')}`), [], 'the deleted')
}

const checks = { list, filter, edit, conflict, faults, bulk }

export const admins = ['react-admin', 'refine'].flatMap((name) =>
  Object.entries(checks).map(([title, run]) => [
    `admin of ${name}: ${title}`,
    async (page) => {
      const admin = await openAdmin(name)
      try {
        await page.goto(admin.url)
        await run(page, admin)
      } finally {
        await admin.close()
      }
    },
  ]),
)
