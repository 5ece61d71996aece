// A picture of each state, in both schemes and widths. axe looks at each, and each is compared with
// the picture of tools/browser/pictures/, where the font is the one of the pictures:
// WRITE=1 ONLY=picture node --conditions=nounful:source tools/browser/run.mjs
// SCENES=palette,keys looks at these alone.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { axeOfSchemes } from './open.mjs'
import { differenceOf, font, fontOf, pixelsOf, pngOf } from './pixels.mjs'

// How many pixels may differ from a picture, which is half as wide as the window.
const maxShare = 0.05
const scale = 0.5
const maxColours = 32

const chosen = process.env.SCENES?.split(',')
const row = (page, id) => page.locator('.items').getByRole('link', { name: id, exact: true })
const drawer = (page) => page.locator('dialog.drawer[open]')

async function openPart(page, id, part) {
  await row(page, id).click()
  const link = page.locator('.tabs').getByRole('link', { name: part })
  const panel = page.locator('#item-title')
  // On a narrow screen the item has its own page.
  await panel
    .or(page.locator('.crumbs').getByText(id))
    .or(page.locator('.actions'))
    .first()
    .waitFor()
  if ((await link.count()) > 0) await link.click()
}

async function openPatch(page) {
  const action = page.locator('#action-patch')
  if (!(await action.evaluate((box) => box.open))) await action.locator('> summary').click()
  return action
}

async function makeFault(page) {
  await openPart(page, '0003', 'Edit')
  const form = await openPatch(page)
  await form.getByLabel('total', { exact: true }).fill('-5')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').waitFor()
}

async function makeConflict(page) {
  await openPart(page, 'd1', 'Edit')
  const form = await openPatch(page)
  await form.getByLabel('title', { exact: true }).fill('Mine')
  const url = `${new URL(page.url()).origin}/v1/drafts/d1`
  const { id, version, ...item } = await (await page.request.get(url)).json()
  const about = `Theirs ${version}`
  await page.request.put(url, { data: { ...item, title: about, about } })
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').filter({ hasText: '409' }).waitFor()
}

async function select(page) {
  for (const id of ['0002', '0003', '0005'])
    await page.getByLabel(`Select ${id}`, { exact: true }).check()
}

/** Each state: its name, its page, and what the user does there. */
const scenes = [
  ['start', 'gallery', '/'],
  ['collection', 'gallery', '/v1/orders?status=paid&sort=-placed_at&limit=15'],
  ['item', 'gallery', '/v1/orders?limit=15', (page) => openPart(page, '0003', 'View')],
  ['edit', 'gallery', '/v1/orders?limit=15', (page) => openPart(page, '0003', 'Edit')],
  ['json', 'gallery', '/v1/orders?limit=15', (page) => openPart(page, '0003', 'JSON')],
  ['related', 'gallery', '/v1/companies', (page) => openPart(page, '001', 'Related')],
  ['fault', 'gallery', '/v1/orders?limit=15', makeFault],
  ['conflict', 'oddities', '/v1/drafts', makeConflict],
  ['selection', 'gallery', '/v1/orders?limit=15', select],
  [
    'deletion',
    'gallery',
    '/v1/orders?limit=15',
    async (page) => {
      await select(page)
      await page.getByRole('button', { name: 'Delete…' }).click()
    },
  ],
  [
    'edit-selection',
    'gallery',
    '/v1/orders?limit=15',
    async (page) => {
      await select(page)
      await page.getByRole('button', { name: 'Edit…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Edit these 3 items' })
      await dialog.getByLabel('status', { exact: true }).selectOption('paid')
    },
  ],
  ['new', 'gallery', '/v1/orders?limit=15', (page) => page.keyboard.press('n')],
  [
    'deletion-of-matches',
    'gallery',
    '/v1/orders?status=sent&limit=15',
    async (page) => {
      await page.getByRole('link', { name: 'More' }).click()
      await drawer(page).locator('#action-deleteMany summary').click()
      await drawer(page).getByText('This will delete').waitFor()
    },
  ],
  ['filters', 'gallery', '/v1/orders?limit=15', (page) => page.keyboard.press('f')],
  [
    'palette',
    'gallery',
    '/v1/orders?limit=15',
    async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill('or')
    },
  ],
  ['keys', 'gallery', '/v1/orders?limit=15', (page) => page.keyboard.press('?')],
  [
    'dock',
    'gallery',
    '/v1/orders?status=paid&limit=15',
    async (page) => {
      await page.locator('.dock summary').first().click()
      await page.locator('.languages').waitFor()
    },
  ],
  ['empty', 'gallery', '/v1/tickets'],
  ['no-match', 'gallery', '/v1/orders?q=nothing'],
  ['long-texts', 'gallery', '/v1/articles'],
  ['million', 'gallery', '/v1/measurements?limit=15'],
  ['columns', 'gallery', '/v1/surveys'],
  ['nested', 'gallery', '/v1/companies/001/departments/001/teams/001/shifts'],
  ['page-of-item', 'gallery', '/v1/employees/002'],
  ['groups', 'gallery', '/v1/employees/count?by=company_id,status'],
  ['problem', 'gallery', '/v1/orders?sort=nme'],
  ['users', 'tenants', '/v1/projects'],
  [
    'signed-in',
    'tenants',
    '/v1/projects',
    async (page) => {
      await page.getByRole('button', { name: 'ann' }).click()
      await page.locator('.items').waitFor()
      await page.locator('.who summary').click()
    },
  ],
  ['absent', 'ruled', '/v1/manuals/none'],
]

// Numbers come late: of the rail where it is on the screen, and of each value.
async function settle(page) {
  await page.mouse.move(0, 0)
  const selector = '[data-number][data-read], [data-facet]'
  for (let times = 0; times < 40; times++) {
    const numbers = await page.locator(selector).allTextContents()
    if (numbers.every((text) => /\d/.test(text))) return
    await page.waitForTimeout(50)
  }
}

function scenesAt(width, colorScheme) {
  return async (page, places) => {
    const faults = []
    const decoder = await page.context().newPage()
    // A page behind another draws once a second.
    await page.bringToFront()
    for (const [name, place, path, act] of scenes) {
      if (chosen !== undefined && !chosen.includes(name)) continue
      await page.goto(places[place] + path)
      await settle(page)
      await act?.(page)
      await settle(page)
      const found = await axeOfSchemes(page)
      if (found.length > 0) faults.push(`${name}: ${JSON.stringify(found, undefined, 1)}`)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (wide > 0) faults.push(`${name}: ${wide} pixels too wide`)
      await page.emulateMedia({ colorScheme })
      const shot = await page.screenshot({ animations: 'disabled', timeout: 30_000 })
      if (places.folder) writeFileSync(`${places.folder}/${name}-${width}.png`, shot)
      faults.push(...(await compare(`${name}-${width}`, shot, decoder)))
      await page.evaluate(() => {
        for (const form of document.querySelectorAll('form[data-touched]'))
          delete form.dataset.touched
        sessionStorage.clear()
      })
    }
    if (faults.length > 0) throw new Error(faults.join('\n'))
  }
}

const pictures = new URL('pictures/', import.meta.url)
const isComparable = fontOf('sans-serif') === font
if (!isComparable)
  console.log(`Pictures are not compared: this machine has ${fontOf('sans-serif')}, not ${font}.`)

async function compare(name, shot, decoder) {
  const file = new URL(`${name}.png`, pictures)
  if (process.env.WRITE === '1') {
    mkdirSync(pictures, { recursive: true })
    writeFileSync(file, pngOf(await pixelsOf(shot, decoder, scale), maxColours))
    return []
  }
  if (!isComparable) return []
  const share = await differenceOf(shot, readFileSync(file), { page: decoder, scale })
  if (share <= maxShare) return []
  return [`${name}: ${(100 * share).toFixed(1)} % of the pixels differ from its picture`]
}

export const gallery = [
  ['axe and picture of each state: wide', scenesAt(1280, 'light'), { reducedMotion: 'reduce' }],
  [
    'axe and picture of each state: narrow',
    scenesAt(390, 'dark'),
    { reducedMotion: 'reduce', viewport: { width: 390, height: 844 } },
  ],
]
