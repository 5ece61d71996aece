// The five tasks of tasks.mjs by the keyboard alone, in a window of 1280 x 800 at 200 %. The focus
// is always in sight (WCAG 2.4.11), and the page never scrolls to the side.
import { holds, same, texts } from './open.mjs'

// What Chromium lays out at 200 %.
const options = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
const mostSteps = 60

/** The name of the focused element, whether it is in sight, and whether the page is too wide. */
function readFocus(page) {
  return page.evaluate(() => {
    const focused = document.activeElement ?? document.body
    if (focused === document.body) return { name: '', isSeen: true, isWide: false }
    const label = focused.getAttribute('aria-label') ?? focused.labels?.[0]?.innerText
    const { x, y, width, height } = focused.getClientRects()[0] ?? focused.getBoundingClientRect()
    // A region may be higher than the window.
    const middle = (Math.max(y, 0) + Math.min(y + height, innerHeight)) / 2
    const at = document.elementFromPoint(x + Math.min(width, 40) / 2, middle)
    const { scrollWidth, clientWidth } = document.documentElement
    return {
      name: (label ?? focused.innerText ?? '').replaceAll(/\s+/g, ' ').trim(),
      isSeen: at !== null && (focused.contains(at) || at.contains(focused)),
      isWide: scrollWidth > clientWidth,
    }
  })
}

/** Fails where a user would not see the focus. Returns the name of what has it. */
async function lookAtFocus(page) {
  const { name, isSeen, isWide } = await readFocus(page)
  holds(isSeen, `"${name}" has the focus out of sight`)
  holds(!isWide, `the page of "${name}" scrolls to the side`)
  return name
}

/** A user without a pointer. */
function userOf(page) {
  let keys = 0
  const press = async (...names) => {
    for (const name of names) {
      keys++
      await page.keyboard.press(name)
    }
  }
  return {
    press,
    count: () => keys,
    async type(text) {
      keys += text.length
      await page.keyboard.type(text)
    },
    /** Presses a key until an element with the name has the focus, as one who looks for it. */
    async reach(name, key = 'Tab') {
      for (let step = 0; step < mostSteps; step++) {
        await press(key)
        if (name.test(await lookAtFocus(page))) return
      }
      throw new Error(`${mostSteps} times ${key} do not reach ${name}`)
    },
  }
}

/** Runs a task from its first page, with at most so many keys. */
function task(path, most, act) {
  return async (page, { shop }) => {
    const user = userOf(page)
    await page.goto(shop + path)
    await act(page, user)
    console.log(`     ${user.count()} keys`)
    holds(user.count() <= most, `at most ${most} keys, it took ${user.count()}`)
  }
}

const findBornBefore = task('/', 60, async (page, user) => {
  await user.reach(/^employees$/)
  await user.press('Enter')
  await page.locator('.items').waitFor()
  await user.reach(/^Globex Shipping$/)
  await user.press('Enter')
  await page.getByText('company_id is Globex Shipping (002)').waitFor()
  await user.press('f')
  await user.type('01011975')
  await user.press('Enter')
  await page.getByText('birthdate before 1975-01-01').waitFor()
  await user.reach(/^full_name/)
  await user.press('Enter')
  await page.locator('thead [aria-sort="ascending"]').waitFor()
  const names = await texts(page, '.items tbody td:nth-child(2)')
  holds(names.length > 0, 'there are rows')
  same(names, [...names].sort(), 'the order')
})

const changeField = task('/v1/employees', 30, async (page, user) => {
  await page.locator('.items').waitFor()
  await user.press('j', 'j', 'j', 'e')
  await page.locator('#action-patch').waitFor()
  await user.reach(/^status/)
  await user.type('l')
  await user.press('Control+Enter')
  await page.getByRole('status').filter({ hasText: '200' }).waitFor()
  const item = await (await page.request.get(page.url().replace(/#.*/, ''))).json()
  same([item.id, item.status], ['003', 'left'], 'what is stored')
})

const createOne = task('/v1/companies', 30, async (page, user) => {
  await page.locator('.items').waitFor()
  await user.press('n')
  await page.locator('#new .field :focus').waitFor()
  await user.type('Initech')
  await user.press('Control+Enter')
  await page.locator('#new').getByRole('status').filter({ hasText: '201' }).waitFor()
  await user.press('Escape')
  await page.locator('.items').getByText('Initech').waitFor()
})

const deleteMatching = task('/v1/orders?status=cancelled', 60, async (page, user) => {
  await user.reach(/^More$/)
  await user.press('Enter')
  await user.reach(/^DELETE/)
  await user.press('Enter')
  await page.locator('#more').getByText('This will delete 200:').waitFor()
  await user.type('200')
  await user.press('Enter')
  await page.locator('#more').getByRole('status').filter({ hasText: '200 deleted' }).waitFor()
})

const seeCall = task('/v1/employees?status=left', 5, async (page, user) => {
  await user.reach(/\/v1\/employees\?status=left/, 'Shift+Tab')
  await user.press('Enter')
  await page.locator('.dock [data-curl]').filter({ hasText: 'curl ' }).waitFor()
})

const walked = [
  ['/', 'h1'],
  ['/v1/orders?status=paid&limit=15', '.items'],
  ['/v1/orders?limit=15#new', '#new form'],
  ['/v1/orders?status=paid&limit=15#more', '#more summary'],
  ['/v1/orders/0003', '#action-patch'],
  ['/v1/orders?sort=no', '.problem'],
]

/** Walks through pages from their start to their end and back. */
async function walk(page, { gallery }) {
  for (const [path, selector] of walked) {
    await page.goto(gallery + path)
    await page.locator(selector).first().waitFor()
    for (const key of ['Tab', 'Shift+Tab']) {
      for (let step = 0; step < mostSteps; step++) {
        await page.keyboard.press(key)
        if ((await lookAtFocus(page)) === '') break
      }
    }
  }
}

async function walkBeside(page, { gallery }) {
  await page.goto(`${gallery}/v1/orders?limit=15`)
  await page.locator('.items').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.locator('dialog.drawer[open] [data-kind="patch"] :focus').waitFor()
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let step = 0; step < mostSteps; step++) {
      await page.keyboard.press(key)
      await lookAtFocus(page)
    }
  }
}

async function closeByEscape(page, { gallery }) {
  await page.goto(`${gallery}/v1/companies`)
  await page.locator('.items').waitFor()
  await page.getByRole('link', { name: 'orders', exact: true }).first().click()
  await page.locator('h1').filter({ hasText: 'orders' }).waitFor()
  const panel = page.locator('dialog.drawer[open]')
  const title = panel.locator('#item-title')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await title.filter({ hasText: 'Ada Moreau' }).waitFor()
  const step = panel.getByRole('button', { name: 'Next item' })
  await step.focus()
  await page.keyboard.press('Enter')
  await title.filter({ hasText: 'Ben Okafor' }).waitFor()
  await step.and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Escape')
  await panel.waitFor({ state: 'detached' })
  same(new URL(page.url()).pathname, '/v1/orders', 'the list of the item')
  for (const name of ['columns', '+ filter'])
    await page.locator('summary', { hasText: name }).click()
  same(await page.locator('.menu[open]').count(), 1, 'one menu is open')
  await page.keyboard.press('Escape')
  same(await page.locator('.menu[open]').count(), 0, 'no menu is open')
  same((await readFocus(page)).name, '+ filter', 'the focus is on the menu')
}

async function askByKey(page, { gallery }) {
  await page.goto(`${gallery}/v1/orders?limit=5`)
  await page.locator('.items').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('d')
  await page.getByText('Delete Ada Moreau').waitFor()
  await page.getByRole('button', { name: 'Keep it' }).and(page.locator(':focus')).waitFor()
}

async function editByKey(page, { gallery }) {
  await page.goto(`${gallery}/v1/orders?limit=5`)
  await page.locator('.items').waitFor()
  await page.keyboard.press('j')
  await page.keyboard.press('e')
  await page.locator('[data-kind="patch"] .field :focus').waitFor()
}

export const keyboard = [
  ['Escape closes the item, or the open menu', closeByEscape],
  ['D asks, and keeps the item at first', askByKey],
  ['D asks at 200 %, too', askByKey, options],
  ['E leads to the first field at 200 %', editByKey, options],
  ['the focus is in sight on each page', walk],
  ['the focus is in sight on each page at 200 %', walk, options],
  ['the focus is in sight in the panel of an item', walkBeside],
  ['keyboard at 200 %: employees of a company born before a day, by name', findBornBefore, options],
  ['keyboard at 200 %: change one field', changeField, options],
  ['keyboard at 200 %: create an item', createOne, options],
  ['keyboard at 200 %: see the call', seeCall, options],
  ['keyboard at 200 %: delete what matches', deleteMatching, options],
]
