// What a list is filtered by: chips, the form of the filters, and a list that matches nothing.
import { axeFaults, same, texts } from './open.mjs'

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

const withoutScript = { javaScriptEnabled: false }
const wide = { width: 1440, height: 900 }

export const filters = [
  ['a list that matches nothing', dropFilters],
  ['a list that matches nothing, without JavaScript', dropFilters, withoutScript],
  ['a chip leads to its control', editChip],
  ['a chip leads to its control, without JavaScript', editChip, withoutScript],
  ['a chip leads to its control from an item', editChipBeside, { viewport: wide }],
  ['every operator of a field', useOperators],
  ['every operator of a field, without JavaScript', useOperators, withoutScript],
]
