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

const withoutScript = { javaScriptEnabled: false }

export const filters = [
  ['a list that matches nothing', dropFilters],
  ['a list that matches nothing, without JavaScript', dropFilters, withoutScript],
]
