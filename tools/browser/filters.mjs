// What a list is filtered by: chips, the form of the filters, and a list that matches nothing.
import { setTimeout } from 'node:timers/promises'
import { axeFaults, holds, same, texts, waitFor } from './open.mjs'

async function dropFilters(page, { gallery }) {
  await page.goto(`${gallery}/v1/employees?q=Emi&status=left&birthdate:lt=1950-01-01&sort=id`)
  const drop = (name) => page.locator('.empty').getByRole('link', { name, exact: true })
  await page.locator('.empty').getByText('No item matches.').waitFor()
  await drop('Drop birthdate before 1950-01-01').click()
  await page.locator('.items').waitFor()
  same((await texts(page, '.items tbody td:nth-child(2)'))[0], 'Emi Tanaka')
  same(new URL(page.url()).search, '?q=Emi&status=left&sort=id')
  await page.goto(`${gallery}/v1/employees?q=nobody&status=left`)
  await drop('Drop all of them').click()
  await page.locator('.items').waitFor()
  same(new URL(page.url()).search, '', 'no filter is left')
  await page.goto(`${gallery}/v1/tickets`)
  await page.locator('.empty').getByRole('link', { name: 'New' }).click()
  await page.locator('#new').waitFor()
}

async function useOperators(page, { gallery }) {
  await page.goto(`${gallery}/v1/employees?sort=id`)
  const form = page.locator('.filters form')
  await page.getByText('+ filter').click()
  const after = form.getByLabel('birthdate after')
  same(await after.isVisible(), false, 'rare operators are folded')
  const more = form.getByText('More operators of birthdate')
  await more.focus()
  await page.keyboard.press('Enter')
  await after.fill('1998-01-01')
  await form.getByRole('group', { name: 'status is', exact: true }).getByLabel('left').check()
  await form.getByLabel('full_name contains').press('Enter')
  await page.locator('.chips').getByText('after 1998-01-01').waitFor()
  same(await texts(page, '.items tbody td:nth-child(2)'), ['Jonas Novak 39'])
  await page.getByText('+ filter').click()
  same(await after.inputValue(), '1998-01-01', 'the operator is in sight')
}

// The fragment of the URL leads to the control, and unfolds the form around it.
async function editChip(page, { gallery }) {
  await page.goto(`${gallery}/v1/employees?birthdate:lt=1961-01-01&status=left&sort=full_name`)
  const chip = (text) => page.locator('.chips a').filter({ hasText: text })
  const control = page.locator('.filters form').getByLabel('birthdate before')
  await chip('before 1961-01-01').focus()
  await page.keyboard.press('Enter')
  await control.and(page.locator(':focus')).waitFor()
  await control.fill('1966-01-01')
  await page.keyboard.press('Enter')
  await chip('before 1966-01-01').waitFor()
  await chip('is left').focus()
  await page.keyboard.press('Enter')
  const box = page.getByRole('checkbox', { name: 'left' }).first()
  await box.and(page.locator(':focus')).waitFor()
  await page.getByText('+ filter').click()
  const names = await texts(page, '.items tbody td:nth-child(2)')
  await chip('↑').click()
  await chip('↓').waitFor()
  same(await texts(page, '.items tbody td:nth-child(2)'), names.toReversed(), 'the order')
  await page.getByRole('link', { name: 'Remove status is left' }).click()
  await chip('is left').waitFor({ state: 'detached' })
  same(new URL(page.url()).search, '?birthdate:lt=1966-01-01&sort=-full_name')
}

// The item beside the list makes room for the form.
async function editChipBeside(page, { gallery }) {
  await page.goto(`${gallery}/v1/employees?status=left`)
  await page.getByRole('link', { name: '005', exact: true }).click()
  await page.getByRole('dialog').waitFor()
  await page.locator('.chips').getByText('is left').click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('checkbox', { name: 'left' }).first().and(page.locator(':focus')).waitFor()
  same(await axeFaults(page), [], 'axe, with the form')
}

// The list opens by the arrows, by text, or by a click. It is no part of the first load.
async function findItem(page, { gallery }) {
  const asked = []
  page.on('request', (request) => asked.push(new URL(request.url())))
  const searches = () => asked.filter(({ pathname }) => pathname === '/v1/companies')
  await page.goto(`${gallery}/v1/employees?company_id=001`)
  const chip = (text) => page.locator('.chips a').filter({ hasText: text })
  await chip('is Acme Instruments (001)').focus()
  await page.keyboard.press('Enter')
  const form = page.locator('.filters form')
  const box = form.getByRole('combobox', { name: 'company_id is', exact: true })
  const options = form.locator('[role="option"]')
  const selected = form.locator('[role="option"][aria-selected="true"]')
  await box.and(page.locator(':focus')).waitFor()
  same(searches().length, 0, 'nothing is read before its use')
  await page.keyboard.press('ArrowDown')
  await options.nth(2).waitFor()
  same(await selected.count(), 0, 'no choice by itself')
  await page.keyboard.press('ArrowUp')
  await selected.getByText('Umbra Films').waitFor()
  same(await axeFaults(page), [], 'axe, with the list')
  await page.keyboard.press('Escape')
  await options.first().waitFor({ state: 'detached' })
  same(await box.getAttribute('aria-expanded'), 'false')
  same([await box.inputValue(), await box.isVisible()], ['001', true], 'the form is still open')
  await box.fill('')
  await page.keyboard.type('GLOB')
  await form.getByRole('option', { name: 'Globex Shipping 002' }).waitFor()
  same(await options.count(), 1, 'what matches')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  same([await box.inputValue(), await options.count()], ['002', 0], 'the choice')
  const { search } = searches().at(-1)
  same(search, '?limit=20&fields=name&q=GLOB', 'the request')
  await form.locator('output').filter({ hasText: 'Globex Shipping' }).waitFor()
  await page.keyboard.press('Enter')
  await chip('is Globex Shipping (002)').waitFor()
  same(new URL(page.url()).search, '?company_id=002')
  await page.locator('.items').waitFor()
}

// A slow answer to an earlier text shows nothing over that of a later one.
async function findLate(page, { gallery }) {
  await page.goto(`${gallery}/v1/employees#new`)
  const form = page.locator('#new form')
  const box = form.getByLabel('company_id', { exact: true })
  const options = form.locator('[role="option"]')
  const slow = Promise.withResolvers()
  await page.route(/q=um$/, async (route) => {
    await slow.promise
    await route.continue()
  })
  await page.route(/q=none$/, (route) => route.fulfill({ status: 403, body: '{}' }))
  await box.click()
  await options.nth(2).waitFor()
  const early = page.waitForRequest(/q=um$/)
  await page.keyboard.type('um')
  await early
  await page.keyboard.press('Control+a')
  await page.keyboard.type('acme')
  await waitFor(() => options.allTextContents(), ['Acme Instruments 001'])
  const late = page.waitForResponse(/q=um$/)
  slow.resolve()
  await (await late).finished()
  same(await options.allTextContents(), ['Acme Instruments 001'])
  await options.click()
  same(await form.locator('output').textContent(), 'Acme Instruments')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('none')
  await form.getByText('The items could not be read.').waitFor()
  await page.keyboard.press('Tab')
  await waitFor(() => form.locator('output').textContent(), '', 'no name of another id')
  await page.keyboard.press('Escape')
  await form.waitFor({ state: 'hidden' })
}

// The user does not wait for the script of the list.
async function findBeforeScript(page, { gallery }) {
  await page.route(/reference/, async (route) => {
    await setTimeout(300)
    await route.continue()
  })
  await page.goto(`${gallery}/v1/employees/001`)
  await page.locator('#action-patch > summary').click()
  const form = page.locator('#action-patch')
  const box = form.getByLabel('company_id', { exact: true })
  const script = page.waitForResponse(/reference/)
  await box.focus()
  await box.fill('umb')
  await page.keyboard.press('Tab')
  await script
  await form.getByRole('combobox', { name: 'company_id', exact: true }).waitFor()
  same(await form.locator('output').textContent(), '', 'the name of another id')
  await setTimeout(300)
  same(await form.locator('[role="option"]').count(), 0, 'no list of a field left')
  await page.reload()
  await box.focus()
  await page.keyboard.press('Tab')
  await box.focus()
  await page.keyboard.press('ArrowDown')
  await form.getByRole('option', { name: 'Globex Shipping 002' }).waitFor()
  same(await form.getByRole('listbox').count(), 1, 'lists')
}

// Words and lists that close would move the button from under the pointer.
async function pressBesideList(page, { companies }) {
  await page.goto(`${companies}/v1/employees/001`)
  await page.locator('#action-patch > summary').click()
  const form = page.locator('#action-patch')
  const box = form.getByLabel('company_id', { exact: true })
  const button = form.getByRole('button', { name: 'Dry run' })
  const press = async () => {
    await button.scrollIntoViewIfNeeded()
    const { x, y } = await button.boundingBox()
    await page.mouse.move(x + 10, y + 10)
    await page.mouse.down()
    await setTimeout(50)
    same((await button.boundingBox()).y, y, 'the button under the pointer')
    await page.mouse.up()
  }
  await box.click()
  const choices = form.locator('[role="option"]')
  await choices.nth(2).waitFor()
  await press()
  await choices.first().waitFor({ state: 'detached' })
  await form.getByRole('status').filter({ hasText: '200' }).waitFor()
  await box.fill('somebody whose name takes two lines')
  await form.getByText('No name matches').waitFor()
  await press()
  await form.getByRole('alert').waitFor()
}

// A list without a search shows what its first page has.
async function findWithoutSearch(page, { oddities }) {
  await page.goto(`${oddities}/v1/walls/w1`)
  await page.locator('#action-patch > summary').click()
  const form = page.locator('#action-patch')
  const box = form.getByLabel('paint_id', { exact: true })
  const options = form.locator('[role="option"]')
  const name = form.locator('output')
  same([await box.inputValue(), await name.textContent()], ['3', 'Paint 2'], 'its name')
  await box.focus()
  await form.getByRole('combobox', { name: 'paint_id', exact: true }).waitFor()
  await page.keyboard.press('ArrowDown')
  await name.filter({ hasText: 'The first 12.' }).waitFor()
  await page.keyboard.press('Escape')
  same(await name.textContent(), 'Paint 2', 'the name again')
  await box.fill('paint 1')
  await options.nth(2).waitFor()
  same(await options.allTextContents(), ['Paint 1 2', 'Paint 10 11', 'Paint 11 12'])
  await options.nth(1).click()
  const sent = '{\n  "paint_id": 11\n}'
  same([await form.locator('[data-changes]').textContent(), await box.inputValue()], [sent, '11'])
  await form.getByRole('button', { name: 'Write JSON' }).click()
  await form.getByLabel('Body, as JSON').fill('{"paint_id": 4}')
  await form.getByRole('button', { name: 'Write JSON' }).click()
  same([await box.inputValue(), await name.textContent()], ['4', ''], 'another id has no name')
}

async function openMore(page, { oddities }) {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${oddities}/v1/paints`)
    const more = page.locator('.facets').getByRole('link', { name: '8 more' })
    await more.waitFor()
    const { x, width: wide } = await more.boundingBox()
    holds(wide > 50 && x + wide <= width, `the link is in the window of ${width}`)
    await more.click()
    await page.locator('.groups li').nth(13).waitFor()
    same(new URL(page.url()).search, '?by=name')
    await page.locator('.groups').getByRole('link', { name: 'Paint 13' }).click()
    await page.locator('.items').waitFor()
    same(new URL(page.url()).searchParams.get('name'), 'Paint 13')
  }
}

// The count has 1,000 groups at most.
async function openCut(page, { oddities }) {
  await page.route('**/paints/count?by=name', async (route) => {
    const response = await route.fetch()
    const text = await response.text()
    const body = text.replace(/(<ul class="groups".*?<\/ul>)/s, '$1<p class="note">Cut.</p>')
    await route.fulfill({ response, body })
  })
  await page.goto(`${oddities}/v1/paints`)
  await page.locator('.facets').getByRole('link', { name: '8+ more' }).waitFor()
}

async function enterId(page, { gallery }) {
  await page.goto(`${gallery}/v1/employees`)
  await page.getByText('+ filter').click()
  await page.locator('.filters form').getByLabel('company_id is', { exact: true }).fill('003')
  await page.keyboard.press('Enter')
  await page.locator('.chips').getByText('is Umbra Films (003)').waitFor()
}

// Their form scrolls, and the button stays below the fields.
async function reachButton(page, { gallery }) {
  await page.goto(`${gallery}/v1/orders`)
  await page.getByText('+ filter').click()
  const form = page.locator('.filters form')
  const button = form.getByRole('button', { name: 'Filter' })
  const barTop = async () => (await form.locator('> .buttons').boundingBox()).y
  const fields = form.locator('> .fields > .field > label > input')
  const bottomOf = async (locator) => {
    const { y, height } = await locator.boundingBox()
    return y + height
  }
  holds((await bottomOf(button)) < (await bottomOf(form)), 'the button, in the form')
  const first = fields.first()
  await first.focus()
  for (let times = 0; times < 30; times++) {
    await page.keyboard.press('Tab')
    const focused = page.locator('.filters form :is(input, select, summary):focus')
    if ((await focused.count()) === 0) break
    holds((await bottomOf(focused)) <= (await barTop()), 'a field has the focus above the button')
  }
  same(await axeFaults(page), [], 'axe, with the button')
}

const withoutScript = { javaScriptEnabled: false }
const tall = { width: 1280, height: 1000 }
const wide = { width: 1440, height: 900 }

export const filters = [
  ['a list that matches nothing', dropFilters],
  ['a list that matches nothing, without JavaScript', dropFilters, withoutScript],
  ['a chip leads to its control', editChip],
  ['a chip leads to its control, without JavaScript', editChip, withoutScript],
  ['a chip leads to its control from an item', editChipBeside, { viewport: wide }],
  ['the button of the filters', reachButton, { viewport: { width: 390, height: 500 } }],
  ['the items of a reference, by name', findItem],
  ['the items of a reference, with answers that are late', findLate],
  ['the items of a reference, before the script', findBeforeScript],
  ['the items of a reference, and a press beside them', pressBesideList, { viewport: tall }],
  ['the items of a reference, without a search', findWithoutSearch],
  ['the id of a reference, without JavaScript', enterId, withoutScript],
  ['the other values of a facet', openMore],
  ['the other values of a facet that are cut', openCut],
  ['every operator of a field', useOperators],
  ['every operator of a field, without JavaScript', useOperators, withoutScript],
]
