// What a list is filtered by: chips, the form of the filters, and a list that matches nothing.
import { same, texts } from './open.mjs'

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

const withoutScript = { javaScriptEnabled: false }

export const filters = [
  ['a list that matches nothing', dropFilters],
  ['a list that matches nothing, without JavaScript', dropFilters, withoutScript],
  ['every operator of a field', useOperators],
  ['every operator of a field, without JavaScript', useOperators, withoutScript],
]
