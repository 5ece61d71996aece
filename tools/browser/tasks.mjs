// Five tasks of every day, each with the most clicks, keys and loads that it may take.
import { holds, same, texts } from './open.mjs'

/** A user whose clicks and keys count. A chord counts each of its keys. */
function userOf(page) {
  const counts = { clicks: 0, keys: 0, loads: -1 }
  page.on('load', () => counts.loads++)
  return {
    counts,
    async click(locator) {
      counts.clicks++
      await locator.click()
    },
    async type(text) {
      counts.keys += text.length
      await page.keyboard.type(text)
    },
    async press(...keys) {
      for (const key of keys) {
        counts.keys += key.split('+').length
        await page.keyboard.press(key)
      }
    },
  }
}

/** Runs a task from its first page, and compares what it took. */
function task(path, most, act) {
  return async (page, { shop }) => {
    const user = userOf(page)
    await page.goto(shop + path)
    await act(page, user)
    const { clicks, keys, loads } = user.counts
    console.log(`     ${clicks} clicks, ${keys} keys, ${loads} loads`)
    const fits = clicks <= most.clicks && keys <= most.keys && loads <= (most.loads ?? 0)
    holds(fits, `at most ${JSON.stringify(most)}, it took ${JSON.stringify(user.counts)}`)
  }
}

const findBornBefore = task('/', { clicks: 3, keys: 10 }, async (page, user) => {
  await user.click(page.getByRole('link', { name: 'employees', exact: true }))
  await user.click(page.locator('.facets').getByRole('link', { name: 'Acme Instruments' }))
  await page.getByText('company_id is Acme Instruments (001)').waitFor()
  await user.press('f')
  await user.type('01011965')
  await user.press('Enter')
  await page.getByText('birthdate before 1965-01-01').waitFor()
  await user.click(page.locator('thead').getByRole('link', { name: 'full_name' }))
  await page.locator('thead [aria-sort="ascending"]').waitFor()
  const names = await texts(page, '.items tbody td:nth-child(2)')
  same(names, [...names].sort(), 'the order')
  const { search } = new URL(page.url())
  const wanted = ['sort=full_name', 'company_id=001', 'birthdate:lt=1965-01-01']
  for (const part of wanted)
    holds(decodeURIComponent(search).includes(part), `${part} in ${search}`)
  const days = await texts(page, '.items tbody td:nth-child(3)')
  holds(days.length > 0 && days.every((day) => day < '1965'), `${days}`)
})

const changeField = task('/v1/employees', { clicks: 2, keys: 3 }, async (page, user) => {
  const row = page.locator('.items tbody tr').nth(3)
  await user.click(row.locator('td').filter({ hasText: 'on leave' }))
  await user.click(page.getByRole('dialog').getByRole('link', { name: 'Edit' }))
  await user.type('l')
  await user.press('Control+Enter')
  await page.getByRole('dialog').getByRole('status').filter({ hasText: '200' }).waitFor()
  holds(await page.locator('#item-data').isHidden(), 'the fields of View stay out of Edit')
  const item = await (await page.request.get(page.url())).json()
  same([item.id, item.status], ['004', 'left'], 'what is stored')
})

const people = ['Kim Lee', 'Lea Roth', 'Mia Sand']
const keysOfPerson = 40

const createThree = task(
  '/v1/employees',
  { clicks: 0, keys: people.length * keysOfPerson },
  async (page, user) => {
    await page.locator('.items').waitFor()
    for (const [index, name] of people.entries()) {
      if (index === 0) await user.press('n')
      const field = page.locator('#new').getByLabel('full_name', { exact: true })
      await field.and(page.locator(':focus')).waitFor()
      await user.type(name)
      await user.press('Tab')
      await user.type('02031990')
      await user.press('Tab', 'Tab')
      await user.type('a@b.example')
      await user.press('Tab', 'Tab')
      await user.type('00')
      await user.type(`${index + 1}`)
      await user.press('Tab', 'Tab')
      await user.type('a')
      const response = page.waitForResponse((answer) => answer.status() === 201)
      await user.press('Control+Enter')
      await response
      await page.locator('#new').getByRole('status').filter({ hasText: '201' }).waitFor()
      const find = `${new URL(page.url()).origin}/v1/employees?q=${encodeURIComponent(name)}`
      const [item] = await (await page.request.get(find)).json()
      const { full_name, birthdate, email, company_id, status } = item
      same(
        [full_name, birthdate, email, company_id, status],
        [name, '1990-02-03', 'a@b.example', `00${index + 1}`, 'active'],
        'what is stored',
      )
      await page.locator('#new .field :focus').waitFor()
    }
  },
)

const deleteMatching = task(
  '/v1/orders?status=open',
  { clicks: 3, keys: 4 },
  async (page, user) => {
    await user.click(page.getByRole('link', { name: 'More' }))
    const panel = page.locator('#more')
    await user.click(panel.locator('#action-deleteMany summary'))
    await panel.getByText('This will delete 200:').waitFor()
    await user.type('200')
    await user.press('Enter')
    await panel.getByRole('status').filter({ hasText: '200 deleted' }).waitFor()
    const { count } = await (
      await page.request.get(`${new URL(page.url()).origin}/v1/orders/count`)
    ).json()
    same(count, 800)
  },
)

const seeCall = task('/v1/employees?status=left', { clicks: 1, keys: 0 }, async (page, user) => {
  const line = page.locator('.dock summary').first()
  const { y, height } = await line.boundingBox()
  holds(y + height <= page.viewportSize().height, 'the call is on the screen')
  holds((await line.innerText()).includes('/v1/employees?status=left'), 'method and URL')
  await user.click(line)
  await page.locator('.dock [data-curl]').filter({ hasText: 'curl ' }).waitFor()
  same(
    await page.evaluate(() => scrollY + document.querySelector('main').scrollTop),
    0,
    'scrolling',
  )
})

export const tasks = [
  ['task: employees of a company born before a day, by name', findBornBefore],
  ['task: change one field', changeField],
  ['task: create three items', createThree],
  ['task: see the call', seeCall],
  ['task: delete what matches', deleteMatching],
]
