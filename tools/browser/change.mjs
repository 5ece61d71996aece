import { leftover } from './odd.mjs'
import { axeFaults, holds, same, waitFor } from './open.mjs'

/** Opens the form of an operation: in its panel, or where it unfolds. */
const open = async (page, kind) => {
  const action = page.locator(`#action-${kind}`)
  const drawer = page.locator('dialog.drawer').filter({ has: page.locator(`#action-${kind}`) })
  if ((await drawer.count()) > 0 && !(await drawer.isVisible())) {
    const close = page.locator('dialog.drawer[open] [data-close]')
    if ((await close.count()) > 0) await close.click()
    await page.getByRole('link', { name: kind === 'create' ? 'New' : 'More', exact: true }).click()
  }
  const isFolded = await action.evaluate((box) => box.tagName === 'DETAILS' && !box.open)
  if (isFolded) await action.locator('> summary').click()
  return action
}

/** Returns the items of a form, once the script has read them. */
const itemsIn = async (box) => {
  for (let times = 0; times < 50; times++) {
    const items = JSON.parse(await box.inputValue())
    if (items.length > 0) return items
    await box.page().waitForTimeout(20)
  }
  throw new Error('The form has no items')
}

async function create(page, { companies, folder }) {
  await page.goto(`${companies}/v1/companies/002/employees`)
  const form = await open(page, 'create')
  await form.getByLabel('birthdate', { exact: true }).fill('2001-02-03')
  await form.getByLabel('email', { exact: true }).fill('no mail')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('alert').waitFor()
  same(await page.evaluate(() => document.activeElement?.closest('.field')?.dataset.name), 'name')
  const name = form.getByLabel('name', { exact: true })
  same(await name.getAttribute('aria-invalid'), 'true')
  holds((await name.getAttribute('aria-describedby')).includes('-fault'), 'the fault describes it')
  same(await form.locator('.fault:visible').count(), 2, 'faults')
  same(await axeFaults(page), [], 'axe, with faults shown')
  if (folder)
    await page.screenshot({ path: `${folder}/faults.png`, fullPage: true, timeout: 30_000 })
  await name.fill('Gita "Rao" <b>')
  await form.getByLabel('email: value to send').selectOption('absent')
  await form.getByRole('button', { name: 'Create' }).click()
  const told = form.getByRole('status').filter({ hasText: '201' })
  await told.waitFor()
  const sent = await form.locator('.outcome .message').first().textContent()
  holds(sent.startsWith('POST /v1/companies/002/employees'), `the request: ${sent}`)
  holds(!sent.includes('email'), 'what is left out is not sent')
  // The page fetches the list anew after the response, so the row may come later.
  await page.locator('.items tbody').getByText('Gita "Rao" <b>').waitFor()
  same(await form.getByLabel('name', { exact: true }).inputValue(), '', 'the form is empty again')
  same(await axeFaults(page), [], 'axe, with an outcome')
  if (folder)
    await page.screenshot({ path: `${folder}/created.png`, fullPage: true, timeout: 30_000 })
  await told.getByRole('link').click()
  holds((await page.locator('.item').innerText()).includes('2001-02-03'), 'its own page')
}

async function updateAndDelete(page, { things }) {
  await page.goto(`${things}/v1/things/7`)
  const form = await open(page, 'patch')
  const field = (name) => form.getByLabel(name, { exact: true })
  await field('size').fill('12.5')
  await field('color').selectOption('"green"')
  await field('note').fill('')
  await form.getByLabel('note: value to send').selectOption('null')
  await field('address').fill('{ "city": "" }')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').waitFor()
  same(await field('address').getAttribute('aria-invalid'), 'true')
  await field('address').fill('{ "city": ')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Nothing was sent').waitFor()
  await field('address').fill('{ "city": "Oslo" }')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  const sent = await form.locator('.outcome .message').first().textContent()
  holds(sent.includes('if-match: "1"'), 'a condition')
  const body = JSON.parse(sent.slice(sent.indexOf('\n\n')))
  same(body, { color: 'green', size: 12.5, address: { city: 'Oslo' }, note: null })
  holds(sent.includes('content-type: application/merge-patch+json'), 'a merge patch')
  await page.locator('#data').getByText('Oslo').waitFor()
  const wire = page.locator('.dock')
  await wire.locator('summary').click()
  holds((await wire.innerText()).includes('"city": "Oslo"'), 'the exchange is that of now')
  holds((await wire.innerText()).includes(`curl '${things}/v1/things/7'`), 'the command too')
  holds(await wire.getByRole('button', { name: 'Copy' }).isVisible(), 'it can be copied')
  // Once more, with the version that it has got by now.
  await field('title').fill('Renamed')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.locator('.outcome .message').first().getByText('if-match: "2"').waitFor()
  await page.locator('#data').getByText('Renamed').waitFor()
  // Another client was faster.
  await page.evaluate(async () => {
    const { body: _, ...item } = await (await fetch('/v1/things/7')).json()
    const { id, version, ...rest } = item
    const headers = { 'content-type': 'application/json' }
    await fetch('/v1/things/7', { method: 'PUT', headers, body: JSON.stringify(rest) })
  })
  await field('title').fill('Too late')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').filter({ hasText: '409' }).waitFor()
  await page.reload()
  const removal = await open(page, 'delete')
  await removal.getByRole('button', { name: 'Delete this item…' }).click()
  same(await axeFaults(page), [], 'axe, with the question')
  await page.keyboard.press('Escape')
  await removal.getByRole('button', { name: 'Delete this item…' }).click()
  const focused = await page.evaluate(() => document.activeElement?.textContent)
  same(focused, 'Keep it', 'what Enter would do')
  const deletions = []
  await page.route('**/v1/things/7', async (route) => {
    if (route.request().method() === 'DELETE') deletions.push(route.request().url())
    await new Promise((resolve) => setTimeout(resolve, 300))
    await route.continue()
  })
  await removal.getByRole('button', { name: 'Delete', exact: true }).click()
  await removal.getByRole('button', { name: 'Delete this item…' }).click()
  same(await removal.getByRole('dialog').count(), 0, 'a question while it is being done')
  await removal.getByRole('status').filter({ hasText: 'deleted' }).waitFor()
  same(await page.locator('.dock').isVisible(), false, 'the request of before')
  same(deletions.length, 1, 'deletions')
  same((await page.request.get(`${things}/v1/things/7`)).status(), 404)
  await removal.getByRole('link', { name: 'the other items' }).click()
  same(new URL(page.url()).pathname, '/v1/things')
}

/** Another client changes an item meanwhile. */
async function meanwhile(page, url, changes) {
  const { id, version, ...item } = await (await page.request.get(url)).json()
  await page.request.put(url, { data: { ...item, ...changes } })
}

/** The rows of the table of a conflict, as texts. */
const rowsOf = (alert) =>
  alert.locator('tbody tr').evaluateAll((rows) =>
    rows.map((row) => [
      row.querySelector('th').innerText,
      ...[...row.querySelectorAll('td')].map((cell) => {
        const words = [...cell.querySelectorAll('span, code')].map((part) => part.innerText)
        return words.join(' ') + (cell.querySelector('input').checked ? ' (chosen)' : '')
      }),
    ]),
  )

async function catchUp(page, { things, folder }) {
  const url = `${things}/v1/pages/p0`
  const stored = async () => (await page.request.get(url)).json()
  await page.goto(url)
  const form = await open(page, 'update')
  const field = (name) => form.getByLabel(name, { exact: true })
  await field('title').fill('Mine')
  await meanwhile(page, url, { title: 'Theirs', lead: 'Their lead', more: 'Their more' })
  await form.getByRole('button', { name: 'Save' }).click()
  const alert = form.getByRole('alert').filter({ hasText: '409 Conflict' })
  await alert.waitFor()
  same(await rowsOf(alert), [
    ['title', 'Take theirs "Theirs"', 'Keep mine "Mine" (chosen)'],
    ['lead', 'Take theirs "Their lead" (chosen)', 'Keep mine "Lead"'],
  ])
  same(await alert.locator('li').allInnerTexts(), [
    'more is now "Their more".',
    'The page now shows the stored item. Save again to go on.',
  ])
  same(
    [await field('title').inputValue(), await field('lead').inputValue()],
    ['Mine', 'Their lead'],
  )
  await form.locator('.fault:visible').getByText('is now "Theirs"').waitFor()
  same(await page.evaluate(() => document.activeElement?.className), 'outcome')
  await page.locator('#data').getByText('Their lead').waitFor()
  same((await stored()).title, 'Theirs', 'nothing is overwritten')
  same(await axeFaults(page), [], 'axe, caught up')
  if (folder)
    await page.screenshot({ path: `${folder}/caught-up.png`, fullPage: true, timeout: 30_000 })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  const { title, lead, more } = await stored()
  same([title, lead, more], ['Mine', 'Their lead', 'Their more'])
}

async function catchUpAgain(page, { things }) {
  const url = `${things}/v1/pages/p1`
  await page.goto(url)
  const form = await open(page, 'update')
  const field = (name) => form.getByLabel(name, { exact: true })
  for (const words of ['one', 'two']) {
    await field('title').fill('Mine')
    await meanwhile(page, url, { title: words, lead: words, more: 'changed once' })
    await form.getByRole('button', { name: 'Save' }).click()
    await form.locator('.fault:visible').getByText(`is now "${words}"`).waitFor()
    same(await field('lead').inputValue(), words)
    same((await form.getByRole('alert').innerText()).includes('changed once'), words === 'one')
  }
  // As JSON, it stays as it is written.
  await form.getByRole('button', { name: 'Write JSON' }).click()
  await form.getByLabel('Body, as JSON').fill('{"title": "a", "lead": "b", "more": "c"}')
  await meanwhile(page, url, { lead: 'three', more: 'three' })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').getByText('more is now "three". Your value').waitFor()
  await form.getByRole('alert').getByText('lead is now "three". Your value').waitFor()
  same(
    await form.getByLabel('Body, as JSON').inputValue(),
    '{"title": "a", "lead": "b", "more": "c"}',
  )
  // Written as JSON, and meant, though it is shown in a field again.
  await form.getByRole('button', { name: 'Write JSON' }).click()
  await meanwhile(page, url, { lead: 'four', more: 'four' })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('radio', { name: 'Keep mine "b"', checked: true }).waitFor()
  await form.getByRole('alert').getByText('more is now "four". Your value').waitFor()
  same(await field('lead').inputValue(), 'b')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  const { title, lead, more } = await (await page.request.get(url)).json()
  same([title, lead, more], ['a', 'b', 'c'])
}

async function catchUpToDelete(page, { things }) {
  const url = `${things}/v1/pages/p2`
  await page.goto(url)
  await (await open(page, 'update')).getByLabel('title', { exact: true }).fill('Mine')
  const removal = await open(page, 'delete')
  const press = async () => {
    await removal.getByRole('button', { name: 'Delete this item…' }).click()
    await removal.getByRole('button', { name: 'Delete', exact: true }).click()
  }
  await meanwhile(page, url, { title: 'Theirs', lead: 'Their lead' })
  await press()
  await removal.getByRole('radio', { name: 'Take theirs "Their lead"' }).waitFor()
  same((await page.request.get(url)).status(), 200, 'nothing is deleted')
  const update = page.locator('#action-update')
  same(await update.getByLabel('title', { exact: true }).inputValue(), 'Mine')
  await update.locator('.fault:visible').getByText('is now "Theirs"').waitFor()
  await press()
  await removal.getByRole('status').filter({ hasText: 'deleted' }).waitFor()
}

async function catchUpToAskAgain(page, { things }) {
  const url = `${things}/v1/pages/p6`
  await page.goto(url)
  const removal = await open(page, 'delete')
  await meanwhile(page, url, { title: 'Theirs', more: 'Their more' })
  await removal.getByRole('button', { name: 'Delete this item…' }).click()
  const question = removal.getByRole('dialog')
  const confirm = question.getByRole('button', { name: 'Delete', exact: true })
  await confirm.click()
  await question.getByText('Changed by another request since you opened it:').waitFor()
  same(await question.locator('li').allInnerTexts(), [
    'title is now "Theirs".',
    'more is now "Their more".',
    'The page now shows the stored item.',
  ])
  same(await removal.getByRole('radio').count(), 0, 'choices')
  same(await axeFaults(page), [], 'axe, with the question')
  same((await page.request.get(url)).status(), 200, 'nothing is deleted')
  await meanwhile(page, url, { title: 'Again' })
  await confirm.click()
  await question.getByText('title is now "Again".').waitFor()
  same(await question.getByText('Changed by another').count(), 1, 'only what is new')
  await confirm.click()
  await removal.getByRole('status').filter({ hasText: 'deleted' }).waitFor()
}

async function nothingToCatchUp(page, { things }) {
  const url = `${things}/v1/pages/p4`
  await page.goto(url)
  const form = await open(page, 'update')
  // Both have written the same.
  await form.getByLabel('title', { exact: true }).fill('Same')
  await meanwhile(page, url, { title: 'Same' })
  await form.getByRole('button', { name: 'Save' }).click()
  const alert = form.getByRole('alert')
  await alert.filter({ hasText: 'title is now "Same".' }).waitFor()
  holds(!(await alert.innerText()).includes('Your value'), 'nothing is replaced')
  same(await form.locator('.fault:visible').count(), 0, 'faults')
  // A conflict with another item, not with an earlier revision of this one.
  await form.getByRole('button', { name: 'Write JSON' }).click()
  const box = form.getByLabel('Body, as JSON')
  await box.fill((await box.inputValue()).replace('"s4"', '"s5"'))
  await form.getByRole('button', { name: 'Save' }).click()
  await alert.filter({ hasText: 'slug' }).waitFor()
  holds((await alert.innerText()).startsWith('409 Conflict'), 'a conflict')
  holds(!(await alert.innerText()).includes('The page now shows'), 'nothing has changed')
}

async function cannotCatchUp(page, { things }) {
  const url = `${things}/v1/pages/p3`
  await page.goto(url)
  const form = await open(page, 'update')
  await form.getByLabel('title', { exact: true }).fill('Mine')
  await meanwhile(page, url, { title: 'Theirs' })
  await page.route('**/v1/pages/p3', (route) =>
    route.request().method() === 'GET' ? route.abort() : route.continue(),
  )
  // A fault of the form has nothing to do with that.
  const title = form.getByLabel('title', { exact: true })
  await title.fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').filter({ hasText: 'title' }).waitFor()
  same(await form.getByRole('alert').getByText('Reload').count(), 0)
  await title.fill('Mine')
  for (let times = 0; times < 2; times++) {
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByRole('alert').getByText('Reload the page').waitFor()
  }
  same((await page.request.get(url)).status(), 200)
  same((await (await page.request.get(url)).json()).title, 'Theirs', 'nothing is overwritten')
  page.faults.length = 0
}

async function untouched(page, { things }) {
  for (const id of ['h6', 'h7', 'h8', 'h12']) {
    const before = await (await page.request.get(`${things}/v1/texts/${id}`)).json()
    for (const kind of ['patch', 'update']) {
      await page.goto(`${things}/v1/texts/${id}`)
      const form = await open(page, kind)
      await form.getByRole('button', { name: 'Save' }).click()
      await form.getByRole('status').filter({ hasText: '200' }).waitFor()
      const stored = await (await page.request.get(`${things}/v1/texts/${id}`)).json()
      same(stored, before, `${id}, ${kind}`)
    }
  }
}

const bodyOf = (sent) => JSON.parse(sent.slice(sent.indexOf('\n\n')))

async function patch(page, { things, folder }) {
  const url = `${things}/v1/drafts/d0`
  const stored = async () => (await page.request.get(url)).json()
  await page.goto(url)
  const form = await open(page, 'patch')
  const field = (name) => form.getByLabel(name, { exact: true })
  const preview = form.locator('[data-changes]')
  same(JSON.parse(await preview.innerText()), {})
  await field('title').fill('Other')
  await field('title').fill('Draft 0')
  same(JSON.parse(await preview.innerText()), {}, 'back as it was')
  await field('email').fill('')
  await field('about').fill('')
  await field('color').selectOption('')
  await field('address').fill('{ "city": "Oslo" }')
  const changes = { email: null, about: null, color: null, address: { city: 'Oslo', zip: null } }
  same(JSON.parse(await preview.innerText()), changes)
  same(await axeFaults(page), [], 'axe, with changes')
  if (folder)
    await page.screenshot({ path: `${folder}/changes.png`, fullPage: true, timeout: 30_000 })
  const before = await stored()
  await form.getByRole('button', { name: 'Dry run' }).click()
  await form.getByText('Nothing is stored').waitFor()
  const dry = form.locator('.outcome .message').first()
  holds((await dry.innerText()).startsWith('PATCH /v1/drafts/d0?dry_run=true'), 'a dry run')
  holds((await form.locator('.outcome').innerText()).includes('"city": "Oslo"'), 'its result')
  same(await stored(), before, 'nothing is stored')
  same(JSON.parse(await preview.innerText()), changes, 'the form is as it was')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('It is saved').waitFor()
  same(bodyOf(await form.locator('.outcome .message').first().textContent()), changes)
  const { id, version, ...item } = await stored()
  const expected = { title: 'Draft 0', about: null, address: { city: 'Oslo' }, tags: ['a', 'b'] }
  same(Object.entries(item).sort(), Object.entries(expected).sort())
  await page.locator('#data').getByText('Oslo').waitFor()
  same(JSON.parse(await preview.innerText()), {}, 'a fresh form')
}

async function patchMeanwhile(page, { things }) {
  const url = `${things}/v1/drafts/d1`
  await page.goto(url)
  const whole = (await open(page, 'update')).getByLabel('Body, as JSON')
  const form = await open(page, 'patch')
  const save = form.getByRole('button', { name: 'Save' })
  await form.getByLabel('title', { exact: true }).fill('Mine')
  await meanwhile(page, url, { tags: ['theirs'] })
  await save.click()
  const alert = form.getByRole('alert').filter({ hasText: '409 Conflict' })
  const goOn = 'The page now shows the stored item. Save again to go on.'
  await alert.waitFor()
  same(await rowsOf(alert), [['tags', 'Take theirs ["theirs"] (chosen)', 'Keep mine ["a","b"]']])
  same(await alert.locator('li').allInnerTexts(), [goOn])
  same(JSON.parse(await form.locator('[data-changes]').innerText()), { title: 'Mine' })
  same(JSON.parse(await whole.inputValue()).tags, ['theirs'], 'the JSON of PUT')
  // The user's own JSON stays, with a warning.
  await whole.fill('{"title": "Whole", "tags": []}')
  await meanwhile(page, url, { tags: ['again'] })
  await save.click()
  await alert.getByText('Your JSON was written for an earlier item').waitFor()
  same(await whole.inputValue(), '{"title": "Whole", "tags": []}')
  await save.click()
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  const { title, tags, email } = await (await page.request.get(url)).json()
  same([title, tags, email], ['Mine', ['again'], 'a@b.example'])
}

async function patchAsJson(page, { things }) {
  const url = `${things}/v1/drafts/d2`
  await page.goto(url)
  const form = await open(page, 'patch')
  const field = (name) => form.getByLabel(name, { exact: true })
  await field('title').fill('Mine')
  await form.getByRole('button', { name: 'Write JSON' }).click()
  const box = form.getByLabel('Body, as JSON')
  same(JSON.parse(await box.inputValue()), { title: 'Mine' })
  await box.fill('{"email": null, "about": null, "address": {"zip": null}}')
  await form.getByRole('button', { name: 'Write JSON' }).click()
  same(await field('title').inputValue(), 'Draft 2')
  same(await form.getByLabel('email: value to send').inputValue(), 'absent')
  same(await form.getByLabel('about: value to send').inputValue(), 'null')
  same(JSON.parse(await field('address').inputValue()), { city: 'Rome' })
  const changes = JSON.parse(await form.locator('[data-changes]').innerText())
  same(changes, { email: null, about: null, address: { zip: null } })
  await form.getByRole('button', { name: 'Write JSON' }).click()
  await meanwhile(page, url, { title: 'Theirs', email: 'c@d.example' })
  await form.getByRole('button', { name: 'Save' }).click()
  const alert = form.getByRole('alert').filter({ hasText: '409 Conflict' })
  await alert.getByText('title is now "Theirs".').waitFor()
  const [title, email] = await alert.locator('li').allInnerTexts()
  holds(!title.includes('Your value'), 'the patch leaves the title')
  holds(email.includes('Your value would replace it'), 'the patch names the email')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  const { email: last, ...stored } = await (await page.request.get(url)).json()
  same([stored.title, last, stored.about], ['Theirs', undefined, null])
}

async function manyAtOnce(page, { things }) {
  await page.goto(`${things}/v1/drafts`)
  const creation = await open(page, 'create')
  await creation.getByText('an array makes several items').waitFor()
  await creation.getByLabel('title', { exact: true }).fill('New')
  await creation.getByLabel('tags', { exact: true }).fill('[]')
  await creation.getByRole('button', { name: 'Write JSON' }).click()
  const box = creation.getByLabel('Body, as JSON')
  const item = JSON.parse(await box.inputValue())
  await box.fill(JSON.stringify([item, { ...item, title: '' }]))
  await creation.getByRole('button', { name: 'Create' }).click()
  await creation.getByRole('alert').getByText('/1/title').waitFor()
  await box.fill(JSON.stringify([item, { ...item, title: 'Newer' }]))
  await creation.getByRole('button', { name: 'Dry run' }).click()
  await creation.getByText('Nothing is stored').waitFor()
  same(await page.locator('.items tbody').getByText('Newer').count(), 0)
  await creation.getByRole('button', { name: 'Create' }).click()
  await creation.getByRole('status').filter({ hasText: '2 items' }).waitFor()
  await page.locator('.items tbody').getByText('Newer').waitFor()
  const form = await open(page, 'patchMany')
  const patches = form.getByLabel('Body, as JSON')
  const all = await itemsIn(patches)
  same([all.length, Object.keys(all[0])], [5, ['id', 'version']])
  await patches.fill(JSON.stringify(all.map((one) => ({ ...one, color: 'green' }))))
  await form.getByRole('button', { name: 'Save all' }).click()
  await form.getByRole('status').filter({ hasText: '5 items' }).waitFor()
  const stored = await (await page.request.get(`${things}/v1/drafts`)).json()
  same([...new Set(stored.map(({ color }) => color))], ['green'])
  // The page reads the items again, and takes no click before it has them.
  await page.locator('#action-patchMany form:not([aria-busy])').waitFor()
  // The revisions in the form are conditions.
  await patches.fill(JSON.stringify(all))
  await form.getByRole('button', { name: 'Save all' }).click()
  await form.getByRole('alert').filter({ hasText: '409' }).waitFor()
}

async function sentAsRead(page, { things }) {
  const sent = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') sent.push(request.postData())
  })
  for (const { id, ...item } of leftover) {
    await page.goto(`${things}/v1/leftovers/${id}`)
    const form = await open(page, 'update')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.locator('.notice').waitFor()
    const sorted = (value) => Object.entries(value).sort()
    same(sorted(JSON.parse(sent.at(-1))), sorted(item), id)
  }
  const form = page.locator('#action-update')
  await form.getByLabel('text', { exact: true }).fill('there')
  await form.getByLabel('number', { exact: true }).fill('9007199254740993')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('cannot hold 9007199254740993').waitFor()
  await form.getByLabel('number', { exact: true }).fill('12')
  await form.getByRole('button', { name: 'Write JSON' }).click()
  const box = form.getByLabel('Body, as JSON')
  same(JSON.parse(await box.inputValue()), { text: 'there', number: 12 })
  await box.fill('{"text": "there", "number": 12, "other": [9007199254740993]}')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.locator('.fault:visible').getByText('cannot hold').waitFor()
  await box.fill('{"text": "there", "number": 12, "other": [1]}')
  await form.getByRole('button', { name: 'Write JSON' }).click()
  await form.getByText('Sent unchanged: other').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  same(JSON.parse(sent.at(-1)), { text: 'there', number: 12, other: [1] })
}

async function comeBack(page, { things }) {
  const url = `${things}/v1/leftovers/1`
  for (const away of [() => page.goto(things), () => page.reload()]) {
    await page.goto(url)
    const form = await open(page, 'update')
    const before = await form.getByLabel('list', { exact: true }).inputValue()
    await form.getByLabel('list', { exact: true }).fill('[]')
    await form.getByLabel('word', { exact: true }).selectOption('"a"')
    await away()
    if (page.url() !== url) await page.goBack()
    await page.locator('#action-update form').waitFor({ state: 'attached' })
    const draft = form.getByRole('status').filter({ hasText: 'This is your draft' })
    await draft.waitFor()
    same(await form.getByLabel('list', { exact: true }).inputValue(), '[]', 'the draft')
    same(await form.getByLabel('word', { exact: true }).inputValue(), '"a"', 'the draft')
    await draft.getByRole('button', { name: 'Discard it' }).click()
    await draft.waitFor({ state: 'detached' })
    await waitFor(() => form.getByLabel('list', { exact: true }).inputValue(), before)
    await waitFor(() => form.getByLabel('word', { exact: true }).inputValue(), 'null')
  }
}

async function stayThere(page, { companies }) {
  await page.goto(`${companies}/v1/companies/002/employees`)
  const form = await open(page, 'create')
  await form.getByLabel('birthdate', { exact: true }).fill('2001-02-03')
  await form.getByRole('button', { name: 'Create' }).click()
  const asked = []
  await form.getByRole('alert').waitFor()
  page.on('request', (request) => asked.push(request.url()))
  await form.getByRole('alert').getByRole('link', { name: 'name' }).click()
  await page.evaluate(() => document.querySelector('.skip').click())
  await page.waitForTimeout(200)
  // Browsers look for the icon again.
  const pages = asked.filter((url) => !url.includes('/_explorer/'))
  same(pages, [], 'requests for places in the page')
  same(await form.getByLabel('birthdate', { exact: true }).inputValue(), '2001-02-03')
}

async function loseAnswers(page, { companies }) {
  await page.goto(`${companies}/v1/companies`)
  const form = await open(page, 'create')
  await form.getByLabel('name', { exact: true }).fill('Cut off')
  const cut = (route) => (route.request().method() === 'GET' ? route.abort() : route.continue())
  await page.route('**/v1/companies', cut)
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByText('could not be refreshed').waitFor()
  holds(await form.getByText('201').first().isVisible(), 'what was done is told')
  await page.unroute('**/v1/companies', cut)
  await form.getByLabel('name', { exact: true }).fill('Again')
  await form.getByRole('button', { name: 'Create' }).click()
  await page.locator('.items tbody').getByText('Again').waitFor()
  // Chromium reports the broken connection as an error.
  page.faults.length = 0
}

async function json(page, { companies }) {
  await page.goto(`${companies}/v1/companies`)
  const form = await open(page, 'create')
  await form.getByLabel('name', { exact: true }).fill('By JSON')
  await form.getByRole('button', { name: 'Write JSON' }).click()
  const box = form.getByLabel('Body, as JSON')
  same(JSON.parse(await box.inputValue()), { name: 'By JSON' })
  await box.fill('{ "name": "By JSON", "size": 1 }')
  await form.getByRole('button', { name: 'Write JSON' }).click()
  await form.getByRole('alert').filter({ hasText: 'has no field "size"' }).waitFor()
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('alert').filter({ hasText: '422' }).waitFor()
  await box.fill('{ "name": ')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('alert').filter({ hasText: '400' }).waitFor()
  await box.fill('{ "name": "Made by JSON" }')
  await form.getByRole('button', { name: 'Write JSON' }).click()
  same(await form.getByLabel('name', { exact: true }).inputValue(), 'Made by JSON')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('status').filter({ hasText: '201' }).waitFor()
}

async function bulk(page, { companies }) {
  await page.goto(`${companies}/v1/companies/001/customers`)
  const form = await open(page, 'updateMany')
  const box = form.getByLabel('Body, as JSON')
  const items = await itemsIn(box)
  same(items.length, 2)
  await box.fill(JSON.stringify(items.map((item) => ({ ...item, name: '' }))))
  await form.getByRole('button', { name: 'Save all' }).click()
  const alert = form.getByRole('alert')
  await alert.waitFor()
  same(
    (await alert.locator('li').allInnerTexts()).map((line) => line.split(' ')[0]),
    ['/0/name', '/1/name'],
  )
  await box.fill(JSON.stringify(items.map((item) => ({ ...item, name: `${item.name}!` }))))
  await form.getByRole('button', { name: 'Save all' }).click()
  await form.getByRole('status').filter({ hasText: '2 items' }).waitFor()
  await page.locator('.items tbody').getByText('Harbor Observatory!').waitFor()
}

async function deleteAll(page, { companies, folder }) {
  const url = `${companies}/v1/companies/002/customers`
  await page.request.post(url, { data: { name: 'One more' } })
  await page.goto(url)
  const form = await open(page, 'deleteAll')
  await form.getByRole('button', { name: 'Count them first…' }).click()
  const input = form.getByLabel('Type 2 to delete all 2')
  await input.fill('1')
  await input.press('Enter')
  await form.getByText('is not 2').waitFor()
  if (folder)
    await page.screenshot({ path: `${folder}/delete-all.png`, fullPage: true, timeout: 30_000 })
  // Another comes in between.
  await page.request.post(url, { data: { name: 'Yet another' } })
  await input.fill('2')
  await input.press('Enter')
  await form.getByRole('alert').filter({ hasText: '409' }).waitFor()
  const count = form.getByRole('button', { name: 'Count them first…' })
  await count.click()
  await form.getByLabel('Type 3 to delete all 3').fill('3')
  await form.getByRole('button', { name: 'Delete all' }).click()
  await form.getByRole('status').filter({ hasText: '3 deleted' }).waitFor()
  const sent = await form.locator('.outcome .message').first().textContent()
  holds(sent.includes('prefer: max-affected=3'), 'a bound')
  await page.getByText('The collection is empty').waitFor()
}

async function offers(page, { things }) {
  await page.goto(`${things}/v1/things`)
  same(await page.locator('.action').count(), 3, 'actions without deleteAll')
  await page.goto(`${things}/v1/logs`)
  same(await page.locator('.action').count(), 0, 'actions of what is read-only')
  await page.goto(`${things}/v1/blobs`)
  const form = await open(page, 'create')
  await form.getByLabel('Body, as JSON').fill('{"id": "b", "x": [null, 1.5]}')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('status').filter({ hasText: '201' }).waitFor()
  await page.locator('.items tbody').getByRole('link', { name: 'b', exact: true }).waitFor()
}

async function uncounted(page, { things }) {
  same((await page.goto(`${things}/v1/bins`)).status(), 405)
  const form = await open(page, 'deleteAll')
  await form.getByRole('button', { name: 'Delete all…' }).click()
  await form.getByLabel('Type bins to delete all items').fill('bins')
  await page.keyboard.press('Enter')
  await form.getByRole('status').filter({ hasText: '3 deleted' }).waitFor()
}

async function prefixed(page, { below }) {
  await page.goto(below)
  // The version that stays comes first.
  await page.getByRole('link', { name: 'companies', exact: true }).first().click()
  same(new URL(page.url()).pathname, '/api/inner/v2/companies')
  const form = await open(page, 'create')
  await form.getByLabel('name', { exact: true }).fill('Below')
  await form.getByRole('button', { name: 'Create' }).click()
  await form.getByRole('status').getByRole('link').click()
  const removal = await open(page, 'delete')
  await removal.getByRole('button', { name: 'Delete this item…' }).click()
  await removal.getByRole('button', { name: 'Delete', exact: true }).click()
  await removal.getByRole('link', { name: 'the other items' }).click()
  same(new URL(page.url()).pathname, '/api/inner/v2/companies')
}

async function byKeyboard(page, { companies }) {
  await page.goto(`${companies}/v1/companies`)
  const { keyboard } = page
  await keyboard.press('Tab')
  same(await page.evaluate(() => document.activeElement?.className), 'skip')
  const reach = async (test) => {
    for (let presses = 0; presses < 80; presses++) {
      if (await page.evaluate(test)) return
      await keyboard.press('Tab')
    }
    throw new Error('The keyboard does not get there')
  }
  await reach(() => document.activeElement?.getAttribute('href') === '#new')
  await keyboard.press('Enter')
  await page.locator('#new').waitFor()
  same(await page.evaluate(() => document.activeElement?.id), 'create-0', 'the first field')
  await keyboard.press('Enter')
  await page.getByRole('alert').waitFor()
  await keyboard.type('By keyboard alone')
  await keyboard.press('Enter')
  await page.getByRole('status').filter({ hasText: '201' }).waitFor()
  await page.locator('#create-0:focus').waitFor()
  await page.locator('.items tbody').getByText('By keyboard alone').waitFor()
  await keyboard.press('Escape')
  await page.locator('#new').waitFor({ state: 'hidden' })
  // The event of its closing comes later.
  await page.waitForURL(({ hash }) => hash === '')
  const back = await page.evaluate(() => document.activeElement?.getAttribute('href'))
  same(back, '#new', 'the focus after it')
}

async function authorization(page, { notes, folder }) {
  same((await page.goto(`${notes}/v1/notes`)).status(), 401)
  same(await axeFaults(page), [], 'axe, without authorization')
  if (folder) await page.screenshot({ path: `${folder}/unauthenticated.png` })
  await page.getByLabel('Authorization').fill('Bearer secret')
  await page.getByRole('button', { name: 'Use it' }).click()
  await page.getByRole('link', { name: '1', exact: true }).click()
  await page.waitForURL(/notes\/1$/)
  await page.getByRole('link', { name: 'Edit' }).click()
  const form = await open(page, 'patch')
  await form.getByLabel('text', { exact: true }).fill('changed')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  holds(!(await page.content()).includes('secret'), 'it is not shown')
  await page.locator('#data').getByText('changed').waitFor()
  await page.getByRole('link', { name: 'Close' }).click()
  await page.getByRole('searchbox').fill('changed')
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL(/q=changed/)
  await page.locator('.items').getByText('changed').waitFor()
  await page.reload()
  await page.locator('.items').getByText('changed').waitFor()
  await page.getByText('+ filter').click()
  await page.getByLabel('text contains').fill('chang')
  await page.getByRole('button', { name: 'Filter' }).click()
  await page.waitForURL(/text%3Acontains=chang/)
  await page.locator('.items').getByText('changed').waitFor()
  // It runs out during a write.
  const other = await open(page, 'create')
  await other.getByLabel('text', { exact: true }).fill('Not lost')
  await page.evaluate(() => {
    for (const key of Object.keys(sessionStorage)) sessionStorage.setItem(key, 'Bearer old')
  })
  await other.getByRole('button', { name: 'Create' }).click()
  await other.getByRole('alert').filter({ hasText: '401' }).waitFor()
  same(await axeFaults(page), [], 'axe, with an authorization run out')
  await other.getByLabel('Authorization').fill('Bearer secret')
  await other.getByRole('button', { name: 'Use it' }).click()
  await other.getByText('Now send it again').waitFor()
  await other.getByRole('button', { name: 'Create' }).click()
  await other.getByRole('status').filter({ hasText: '201' }).waitFor()
  await other.page().keyboard.press('Escape')
  const who = page.locator('.who')
  await who.getByText('Signed in').click()
  await who.getByLabel('Another token').fill('Bearer other')
  await who.getByRole('button', { name: 'Change token' }).click()
  await who.getByText('Token refused').waitFor()
  await page.getByLabel('Authorization').fill('Bearer secret')
  await page.getByRole('button', { name: 'Use it' }).click()
  await who.getByText('Signed in').click()
  await who.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Authorization').waitFor()
  same(await who.count(), 0, 'nobody is signed in')
}

async function chooseItem(page, { companies }) {
  const asked = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.goto(`${companies}/v1/employees/001?include=company`)
  const form = await open(page, 'patch')
  const isList = (path) => path === '/v1/companies'
  same(asked.filter(isList), [], 'nothing is read before')
  const field = form.getByLabel('company_id', { exact: true })
  await field.focus()
  await field.press('ArrowDown')
  await form.getByRole('option', { name: 'Globex Shipping 002' }).waitFor()
  same(asked.filter(isList).length, 1, 'lists read')
  await field.fill('nobody')
  await form.getByText('No name matches: “nobody” is the id.').waitFor()
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').waitFor()
  same(await field.getAttribute('aria-invalid'), 'true', 'an id of no item')
  await field.fill('Globex')
  await form.getByRole('option', { name: 'Globex Shipping 002' }).click()
  same(await field.inputValue(), '002', 'the id')
  same(await form.locator('output').textContent(), 'Globex Shipping', 'the name')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  const sent = await form.locator('.outcome .message').first().textContent()
  same(bodyOf(sent), { company_id: '002' }, 'the body')
  const company = page.locator('#data').getByText('Globex Shipping').first()
  await company.waitFor()
  same(await axeFaults(page), [], 'axe, with the name')
  await field.fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await company.waitFor({ state: 'detached' })
  const cleared = await form.locator('.outcome .message').first().textContent()
  same(bodyOf(cleared), { company_id: null }, 'an empty reference')
}

export const change = [
  ['create, with faults and without', create],
  ['update with conditions, delete', updateAndDelete],
  ['a form catches up with an item that has changed', catchUp],
  ['a form catches up again, also as JSON', catchUpAgain],
  ['a deletion catches up with an item that has changed', catchUpToDelete],
  ['a deletion asks again after a change', catchUpToAskAgain],
  ['a form that has nothing to catch up with', nothingToCatchUp],
  ['a form that cannot catch up says so', cannotCatchUp],
  ['what nobody touches stays as it was', untouched],
  ['a patch of what has changed, after a dry run', patch],
  ['a patch of an item that has changed', patchMeanwhile],
  ['a patch as JSON', patchAsJson],
  ['many items, created and changed at once', manyAtOnce],
  ['what is sent is what was read', sentAsRead],
  ['coming back finds the draft, and what is stored', comeBack],
  ['places in the page', stayThere],
  ['answers that do not come', loseAnswers],
  ['the choices of a reference', chooseItem],
  ['JSON instead of fields', json],
  ['bulk update', bulk],
  ['delete all, counted', deleteAll],
  ['delete all that cannot be counted', uncounted],
  ['only what is offered', offers],
  ['by keyboard alone', byKeyboard],
  ['below the prefix of a host', prefixed],
  ['with an authorization', authorization],
]
