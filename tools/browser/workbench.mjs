import { axeFaults, holds, same, texts } from './open.mjs'

const pathOf = (page) => new URL(page.url()).pathname + new URL(page.url()).hash
const focused = (page) => page.evaluate(() => document.activeElement?.textContent)

async function openBeside(page, { things }) {
  await page.goto(`${things}/v1/things?limit=5`)
  const panel = page.getByRole('dialog')
  const title = panel.locator('h2').first()
  const row = (id) => page.locator('.items').getByRole('link', { name: id, exact: true })
  await row('2').click()
  await title.filter({ hasText: 'Thing 002' }).waitFor()
  same(pathOf(page), '/v1/things/2', 'the URL is that of the item')
  holds(await row('2').getAttribute('aria-current'), 'the row of the item')
  await panel.getByRole('button', { name: 'Next item' }).click()
  await title.filter({ hasText: 'Thing 003' }).waitFor()
  await panel.getByRole('link', { name: 'JSON' }).click()
  await panel.locator('.json').getByText('"title": "Thing 003"').waitFor()
  same(pathOf(page), '/v1/things/3#json', 'the part of the item')
  await page.goBack()
  await panel.waitFor({ state: 'detached' })
  same([pathOf(page), await focused(page)], ['/v1/things', '3'], 'back in the list')
  await page.goForward()
  await panel.locator('.json').getByText('"title": "Thing 003"').waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  same(pathOf(page), '/v1/things', 'the URL of the list')
  await row('4').click()
  await title.waitFor()
  await page.reload()
  await page.locator('h1').filter({ hasText: 'Thing 004' }).waitFor()
  await page.goBack()
  await page.locator('.items').waitFor()
  await page.setViewportSize({ width: 390, height: 800 })
  await row('5').click()
  await page.locator('h1').filter({ hasText: 'Thing 005' }).waitFor()
}

async function changeBeside(page, { things }) {
  await page.goto(`${things}/v1/drafts`)
  const panel = page.getByRole('dialog')
  await page.getByText('Draft 0').click()
  await panel.getByRole('link', { name: 'Edit' }).click()
  const title = panel.getByLabel('title', { exact: true })
  await title.fill('Renamed')
  const words = () => panel.locator('[data-patch] .buttons').getAttribute('data-edits')
  same(await words(), '1 change')
  const asked = new Promise((resolve) => page.once('dialog', resolve))
  const closing = panel.getByRole('link', { name: 'Close' }).click()
  await (await asked).dismiss()
  await closing
  same(await title.inputValue(), 'Renamed', 'the change is still there')
  // Another client is faster.
  const url = `${things}/v1/drafts/d0`
  const { id, version, ...item } = await (await page.request.get(url)).json()
  await page.request.put(url, { data: { ...item, title: 'Theirs', about: 'Theirs' } })
  const save = panel.getByRole('button', { name: 'Save' })
  await save.click()
  const alert = panel.getByRole('alert').filter({ hasText: '409' })
  await alert.waitFor()
  const choice = (name) => alert.getByRole('radio', { name })
  same(await choice('Keep mine "Renamed"').isChecked(), true, 'the title of the user')
  same(await choice('Take theirs "Theirs"').last().isChecked(), true, 'what the user left')
  same(await axeFaults(page), [], 'axe, with a conflict')
  await choice('Take theirs "Theirs"').first().check()
  same(await title.inputValue(), 'Theirs')
  await choice('Keep mine "Renamed"').check()
  await choice(/^Keep mine/)
    .last()
    .check()
  await save.click()
  await panel.getByRole('status').filter({ hasText: '200' }).waitFor()
  await page.locator('.items').getByText('Renamed').waitFor()
  const { title: last, about } = await (await page.request.get(url)).json()
  same([last, about], ['Renamed', item.about], 'what is stored')
}

async function deleteBeside(page, { companies }) {
  await page.request.post(`${companies}/v2/companies`, { data: { name: 'Last of all' } })
  await page.goto(`${companies}/v2/companies?sort=-name`)
  const rows = page.locator('.items tbody tr')
  const number = await rows.count()
  await page.getByText('Acme Instruments').click()
  const panel = page.locator('dialog.drawer[open]')
  await panel.getByRole('link', { name: 'Related' }).click()
  await panel.locator('.related').getByText('2', { exact: true }).first().waitFor()
  await panel.getByRole('link', { name: 'Close' }).click()
  await page.getByText('Last of all').click()
  await panel.getByRole('link', { name: 'Edit' }).click()
  await panel.locator('#action-delete > summary').click()
  await panel.getByRole('button', { name: 'Delete this item…' }).click()
  await panel.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('status').filter({ hasText: 'Deleted Last of all' }).waitFor()
  await rows.nth(number - 1).waitFor({ state: 'detached' })
  same(await axeFaults(page), [], 'axe, with the message')
  await page.getByRole('button', { name: 'Close the message' }).click()
}

async function selectRows(page, { things }) {
  await page.goto(`${things}/v1/things?limit=5&sort=-size`)
  const ids = await texts(page, '.items tbody th')
  await page.getByLabel('Select all').check()
  await page.getByLabel(`Select ${ids[0].trim()}`, { exact: true }).uncheck()
  const bar = page.getByRole('region', { name: 'Selection' })
  await bar.getByText('4 selected').waitFor()
  same(await axeFaults(page), [], 'axe, with a selection')
  await bar.getByRole('button', { name: 'Delete…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete these 4 items?' })
  same(await dialog.getByRole('listitem').count(), 4, 'names')
  same(await axeFaults(page), [], 'axe, with the question')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('status').filter({ hasText: '4 deleted' }).waitFor()
  same((await page.request.get(`${things}/v1/things/${ids[1].trim()}`)).status(), 404)
  same((await page.request.get(`${things}/v1/things/${ids[0].trim()}`)).status(), 200)
}

// One request changes all items, or none.
async function editRows(page, { things }) {
  const url = `${things}/v1/drafts`
  const merge = { 'content-type': 'application/merge-patch+json' }
  const change = (id, data) => page.request.patch(`${url}/${id}`, { data, headers: merge })
  const stored = async (id) => (await page.request.get(`${url}/${id}`)).json()
  for (const id of ['d1', 'd2']) await change(id, { about: 'Words', color: 'red' })
  await page.goto(url)
  for (const id of ['d1', 'd2']) await page.getByLabel(`Select ${id}`, { exact: true }).check()
  const edit = page.getByRole('button', { name: 'Edit…' })
  const dialog = page.getByRole('dialog', { name: 'Edit these 2 items' })
  const field = (name) => dialog.getByLabel(name, { exact: true })
  const save = dialog.getByRole('button', { name: 'Save' })
  await edit.click()
  same(await field('title').inputValue(), '', 'the value of no item')
  same(await axeFaults(page), [], 'axe, with the form')
  await field('email').fill('nobody')
  await save.click()
  await dialog.getByRole('alert').filter({ hasText: '422' }).waitFor()
  same(await dialog.locator('.fault:visible').count(), 1, 'the same fault of both, once')
  await dialog.getByRole('alert').getByRole('link', { name: 'email' }).click()
  holds(await field('email').isVisible(), 'a link to the fault keeps the form')
  await field('email').fill('')
  await field('color').selectOption('green')
  same(await dialog.locator('[data-changes]').innerText(), '{\n  "color": "green"\n}', 'the patch')
  await dialog.getByRole('button', { name: 'Dry run' }).click()
  await dialog.getByRole('status').filter({ hasText: 'Nothing is stored' }).waitFor()
  // Another client is faster.
  const [other, before] = [await stored('d0'), await stored('d1')]
  await change('d2', { about: 'Theirs' })
  await save.click()
  await dialog.getByRole('alert').filter({ hasText: 'Save again to go on' }).waitFor()
  same(await stored('d1'), before, 'nothing is changed')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await edit.click()
  same(await field('color').inputValue(), '', 'no draft')
  await dialog.getByRole('button', { name: 'Write JSON' }).click()
  await dialog.getByLabel('Body, as JSON').fill('{"color": "green"')
  await save.click()
  await dialog.getByRole('alert').filter({ hasText: 'Nothing was sent' }).waitFor()
  await dialog.getByLabel('Body, as JSON').fill('{"id": "d0", "color": "green"}')
  await change('d1', { about: 'Theirs' })
  await save.click()
  await dialog.getByRole('alert').filter({ hasText: 'Save again to go on' }).waitFor()
  await dialog.getByLabel('Body, as JSON').press('Control+Enter')
  await page.getByRole('status').filter({ hasText: '2 changed' }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  same(await stored('d0'), other, 'the other item')
  const words = [await stored('d1'), await stored('d2')].map(
    (item) => `${item.color} ${item.about}`,
  )
  same(words, ['green Theirs', 'green Theirs'], 'what is stored')
  // An id that the server has made may hold the same letters.
  const row = page.locator('.items tr', {
    has: page.getByRole('link', { name: 'd2', exact: true }),
  })
  await row.locator('b', { hasText: 'green' }).waitFor()
}

// Ids of numbers, and more rows than a page of the list may have.
async function editMany(page, { things }) {
  await page.goto(`${things}/v1/things?limit=40`)
  const rows = page.locator('.items tbody tr')
  await page.locator('#data .scroll').evaluate((box) => box.scrollTo(0, box.scrollHeight))
  await rows.nth(79).waitFor({ state: 'attached' })
  await page.getByLabel('Select all').check()
  await page.getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('website', { exact: true }).fill('https://many.example/')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('status')
    .filter({ hasText: / changed\./ })
    .waitFor()
  const items = await (await page.request.get(`${things}/v1/things?limit=40&offset=40`)).json()
  same([...new Set(items.map(({ website }) => website))], ['https://many.example/'])
}

async function deleteMatching(page, { companies }) {
  const url = `${companies}/v2/companies`
  for (const name of ['Zed 1', 'Zed 2']) await page.request.post(url, { data: { name } })
  const before = (await (await page.request.get(`${url}/count`)).json()).count
  await page.goto(`${url}?q=Zed`)
  await page.getByRole('link', { name: 'More' }).click()
  await page.getByText('Delete what matches').click()
  const form = page.locator('#action-deleteMany')
  await form.getByText('This will delete 2:').waitFor()
  holds(await form.getByRole('listitem').filter({ hasText: 'Zed 1' }).isVisible(), 'a name')
  await form.getByLabel('Type 2 to delete 2').fill('2')
  await page.keyboard.press('Enter')
  await form.getByRole('status').filter({ hasText: '2 deleted' }).waitFor()
  same((await (await page.request.get(`${url}/count`)).json()).count, before - 2, 'the others')
}

async function exportAll(page, { things }) {
  // A browser without a dialog for files downloads them.
  await page.addInitScript(() => delete globalThis.showSaveFilePicker)
  const { count } = await (await page.request.get(`${things}/v1/things/count`)).json()
  await page.goto(`${things}/v1/things?sort=-size&limit=5&fields=title&fields=size`)
  await page.locator('summary', { hasText: 'export' }).click()
  const read = async (name) => {
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name, exact: true }).click()
    const stream = await (await download).createReadStream()
    return Buffer.concat(await stream.toArray()).toString()
  }
  const lines = (await read('CSV')).split('\r\n')
  same([lines[0], lines.length], ['id,title,size', count + 2], 'lines, over several pages')
  same(JSON.parse(await read('JSON')).length, count, 'items')
  await page.getByText(`${count} items are in the file`).waitFor()
}

async function replay(page, { things }) {
  await page.goto(`${things}/v1/pages`)
  await page.getByRole('link', { name: 'New' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('alert').filter({ hasText: '422' }).waitFor()
  await page.keyboard.press('Escape')
  // The response of the page itself comes last, and shows nothing over that of the request.
  const whole = Promise.withResolvers()
  await page.route(`${things}/v1/pages?*`, async (route) => {
    await whole.promise
    await route.continue()
  })
  const dock = page.locator('.dock')
  await dock.locator('summary').first().click()
  const code = dock.locator('[data-curl]')
  const press = (name) => dock.getByRole('button', { name, exact: true }).click()
  await press('client')
  holds((await code.innerText()).includes('await client.v1.pages.page('), 'the typed client')
  await press('Python')
  holds((await code.innerText()).includes(`"${things}/v1/pages?limit=`), 'the URL')
  same(await axeFaults(page), [], 'axe, with languages')
  await dock.locator('.history summary').click()
  await dock.getByRole('button', { name: 'POST /v1/pages · 422' }).click()
  await press('curl')
  holds((await code.innerText()).startsWith('curl -X POST'), 'the earlier request')
  same(await axeFaults(page), [], 'axe, with the history')
  await press('Send again')
  const received = dock.locator('.long-message')
  await received.getByText('422 Unprocessable Entity').waitFor()
  const read = page.waitForResponse(/v1\/pages\?/)
  whole.resolve()
  await (await read).finished()
  holds((await received.innerText()).includes('422 Unprocessable Entity'), 'the answer stays')
}

// The line has the request of the URL, and what the browser measured of it.
async function tellCost(page, { things }) {
  const line = page.locator('.dock summary').first()
  const expectLine = async (method, status, url) => {
    const pattern = `${method}\\s*${status}\\s*· \\d+ ms · [\\d.]+ kB\\s*${url}$`
    await line.filter({ hasText: new RegExp(pattern) }).waitFor()
  }
  const list = '/v1/pages\\?limit=\\d+'
  await page.goto(`${things}/v1/pages`)
  await expectLine('GET', 200, list)
  await page.locator('.rail').getByRole('link', { name: 'drafts' }).click()
  await expectLine('GET', 200, '/v1/drafts\\?limit=\\d+')
  await page.goBack()
  await expectLine('GET', 200, list)
  await page.getByRole('link', { name: 'New' }).click()
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('alert').filter({ hasText: '422' }).waitFor()
  await page.keyboard.press('Escape')
  await line.click()
  const dock = page.locator('.dock')
  await dock.locator('.history summary').click()
  await dock.getByRole('button', { name: 'POST /v1/pages · 422' }).click()
  await expectLine('POST', 422, '/v1/pages')
  await dock.getByRole('button', { name: 'Send again', exact: true }).click()
  await dock.getByText('422 Unprocessable Entity').waitFor()
  await expectLine('POST', 422, '/v1/pages')
  // The dock covers the lower rows.
  await page.locator('.items').getByRole('link', { name: 'p0', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.locator('#item-title').waitFor()
  await expectLine('GET', 200, '/v1/pages/p0')
  await page.keyboard.press('Escape')
  await expectLine('GET', 200, list)
  await dock
    .locator('[data-curl]')
    .filter({ hasText: /pages\?limit/ })
    .waitFor()
  holds(await dock.locator('.wire').evaluate(({ open }) => open), 'it stays open')
  same(await dock.locator('.languages').count(), 1, 'with its languages')
}

async function loadOnScroll(page, { gallery }) {
  await page.goto(`${gallery}/v1/orders?status=open&limit=90`)
  const rows = page.locator('.items tbody tr')
  const scroll = () =>
    page.locator('#data .scroll').evaluate((box) => {
      box.scrollTo(0, box.scrollHeight)
      // As a wheel does, which turns on while the rows are on their way.
      for (let count = 0; count < 5; count++) box.dispatchEvent(new Event('scroll'))
    })
  same(await rows.count(), 90)
  for (const number of [180, 200]) {
    await scroll()
    await page.locator('.pager').getByText(`1–${number} of 200`).waitFor()
    same(await rows.count(), number)
  }
  same(await page.getByRole('link', { name: 'Next page' }).count(), 0, 'no further page')
  const ids = await page.locator('.items tbody th').allTextContents()
  same(new Set(ids).size, 200, 'different items')
  await page.getByLabel('Select all').check()
  await page.getByRole('region', { name: 'Selection' }).getByText('200 selected').waitFor()
  same(new URL(page.url()).search, '?status=open&limit=90', 'the URL')
}

// The title of a card leaves room for the box and the link beside it.
async function readCards(page, { gallery }) {
  await page.goto(`${gallery}/v1/articles`)
  await page.getByLabel('Select 002', { exact: true }).check()
  await page.getByRole('region', { name: 'Selection' }).getByText('1 selected').waitFor()
  await page.goto(`${gallery}/v1/orders?fields=total&limit=3`)
  const title = page.locator('.items tbody td').first()
  same(await title.evaluate((cell) => getComputedStyle(cell).textAlign), 'left', 'a number')
}

async function moveEdge(page, { gallery }) {
  await page.goto(`${gallery}/v1/employees?limit=5`)
  const panel = page.locator('dialog.drawer[open]')
  const edge = panel.getByRole('separator')
  const width = async () => (await panel.boundingBox()).width
  await page.getByRole('link', { name: '002', exact: true }).click()
  await edge.waitFor()
  same(await width(), 420)
  await edge.focus()
  await page.keyboard.press('ArrowLeft')
  same([await width(), await edge.getAttribute('aria-valuenow')], [452, '452'])
  const { x, y, height } = await edge.boundingBox()
  await page.mouse.move(x + 4, y + height / 2)
  await page.mouse.down()
  await page.mouse.move(680, y + height / 2, { steps: 4 })
  await page.mouse.up()
  same(await width(), 600, 'by dragging')
  await page.reload()
  await page.goto(`${gallery}/v1/employees?limit=5#new`)
  await edge.waitFor()
  same(await width(), 600, 'the width of the other panel')
}

async function goOffline(page, { gallery }) {
  await page.goto(`${gallery}/v1/employees?limit=5`)
  await page.locator('.rail [data-number]').last().filter({ hasText: /\d/ }).waitFor()
  await page.locator('.facets [data-facet]').last().filter({ hasText: /\d/ }).waitFor()
  await page.context().setOffline(true)
  await page.getByRole('alert').filter({ hasText: 'You are offline' }).waitFor()
  same(await axeFaults(page), [], 'axe, offline')
  await page.context().setOffline(false)
  await page.getByRole('status').filter({ hasText: 'online again' }).waitFor()
}

// As the browser does it: half as many pixels of CSS, each twice as large (WCAG 1.4.4, 1.4.10).
async function zoom(page, { gallery }) {
  const found = []
  for (const path of ['/', '/v1/orders?status=paid&limit=15', '/v1/orders/0003', '/v1/surveys']) {
    await page.goto(gallery + path)
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (wide > 0) found.push(`${path}: ${wide} pixels too wide`)
    const cut = await page.locator('h1, button:visible, .button:visible').evaluateAll((all) =>
      all
        .filter((one) => one.closest('dialog, .items') === null)
        .filter((one) => one.scrollWidth > one.clientWidth + 1)
        .map((one) => one.textContent),
    )
    if (cut.length > 0) found.push(`${path}: ${cut} is cut off`)
    found.push(...(await axeFaults(page)))
  }
  await page.goto(`${gallery}/v1/orders?limit=15#new`)
  const save = page.locator('#new').getByRole('button', { name: 'Create' })
  await save.scrollIntoViewIfNeeded()
  holds(await save.isVisible(), 'the last button of a form')
  same(found, [])
}

export const workbench = [
  ['rows that come on scroll', loadOnScroll],
  ['cards of a phone', readCards, { viewport: { width: 390, height: 844 } }],
  ['the edge of the panel', moveEdge],
  ['a browser without connection', goOffline],
  ['zoom of 200 %', zoom, { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }],
  ['zoom of 400 %', zoom, { viewport: { width: 320, height: 256 }, deviceScaleFactor: 4 }],
  ['five languages, and a request of the history', replay],
  ['time and size of the request', tellCost],
  ['rows, selected and deleted', selectRows],
  ['a deletion of what matches', deleteMatching],
  ['an export of all pages', exportAll],
  ['an item beside its list', openBeside],
  ['a change beside the list, with a conflict', changeBeside],
  ['a deletion beside the list', deleteBeside],
  ['a change of selected rows', editRows],
  ['a change of many rows', editMany],
]
