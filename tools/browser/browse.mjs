import { axeFaults, axeOfSchemes, holds, same, texts, waitFor } from './open.mjs'

async function goDown(page, { companies }) {
  await page.goto(companies)
  await page.getByRole('link', { name: 'companies', exact: true }).first().click()
  await page.getByRole('link', { name: '001', exact: true }).click()
  await page.getByRole('link', { name: 'Its own page' }).click()
  await page.locator('h1').filter({ hasText: 'Acme Instruments' }).waitFor()
  await page.locator('main').getByRole('link', { name: 'employees', exact: true }).click()
  same(new URL(page.url()).pathname, '/v2/companies/001/employees')
  same((await texts(page, '.items tbody th')).length, 3, 'items')
  await page.getByRole('link', { name: '002', exact: true }).first().click()
  same(new URL(page.url()).pathname, '/v2/companies/001/employees/002')
  await page.reload()
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumb' })
  same(await crumbs.getByRole('link').allInnerTexts(), [
    'Start',
    'v2',
    'companies',
    'Acme Instruments',
    'employees',
    'Ben Okafor',
  ])
  await crumbs.getByRole('link', { name: 'Acme Instruments' }).click()
  same(new URL(page.url()).pathname, '/v2/companies/001')
}

async function begin(page, { gallery }) {
  await page.goto(gallery)
  await page.getByText('Orders, and who packs them.').waitFor()
  const card = page.getByRole('listitem').filter({ hasText: ':company_id/departments/:d' }).first()
  await card.getByText('Pick one of companies, then one of departments:').waitFor()
  await card.getByRole('link', { name: 'Globex Shipping' }).click()
  await page.waitForURL(/companies\/002\/departments$/)
  // The server takes the page for one behind a proxy; the browser knows better.
  await page.setExtraHTTPHeaders({ 'x-forwarded-proto': 'https' })
  await page.goto(gallery)
  await page.getByRole('link', { name: 'Typed client' }).click()
  const example = page.getByRole('region', { name: 'Try it' })
  const [curl, client] = await example.locator('code[data-curl]').allInnerTexts()
  holds(curl.startsWith(`curl '${new URL(page.url()).origin}/v1/`), curl)
  holds(client.includes(`baseUrl: "${new URL(page.url()).origin}"`), client)
  await example.getByRole('link').click()
  await page.waitForURL(/companies\?sort=name&limit=2$/)
  await page.locator('.items').waitFor()
}

async function search(page, { companies }) {
  await page.goto(`${companies}/v1/employees?sort=-name`)
  await page.getByRole('searchbox').fill('globex')
  await page.getByRole('searchbox').press('Enter')
  await page.waitForURL(/q=globex/)
  same(await texts(page, '.items tbody td:nth-child(2)'), ['Emi Tanaka', 'Dmitri Haas'])
  holds((await page.locator('.url').innerText()).includes('sort=-name'), 'sort is kept')
  same(await page.locator('.head .of').innerText(), '2 of 6')
  await page.getByRole('link', { name: 'More' }).click()
  await page.getByRole('link', { name: 'count' }).click()
  holds((await page.locator('.count').innerText()).startsWith('2 employees'), 'count')
  await page.getByRole('link', { name: 'last' }).click()
  await page.locator('h1').filter({ hasText: 'employees last' }).waitFor()
  await page.getByRole('link', { name: 'Its own page' }).click()
  await page.locator('h1').filter({ hasText: 'Emi Tanaka' }).waitFor()
  same(await page.locator('.head').innerText(), 'Emi Tanaka\n\n005 employees')
}

async function sort(page, { companies }) {
  await page.goto(`${companies}/v1/employees`)
  const heading = page.getByRole('columnheader', { name: 'name' })
  const names = () => texts(page, '.items tbody td:nth-child(2)')
  const click = (name) => page.locator('thead').getByRole('link', { name }).click()
  const order = async () => [await heading.getAttribute('aria-sort'), (await names())[0]]
  await click('name')
  await waitFor(order, ['ascending', 'Ada Moreau'])
  await click('name')
  await waitFor(order, ['descending', 'Farid Nasser'])
  await click('birthdate')
  same(new URL(page.url()).search, '?sort=birthdate,-name', 'two fields')
  const births = page.getByRole('columnheader', { name: 'birthdate' })
  await waitFor(() => births.getAttribute('aria-sort'), 'ascending')
  await click('name')
  same(new URL(page.url()).search, '?sort=birthdate', 'one left')
  await waitFor(() => heading.getAttribute('aria-sort'), null)
}

async function turnPages(page, { things }) {
  await page.goto(`${things}/v1/things`)
  holds((await page.locator('.pager').innerText()).includes('limit=40'), 'the limit is told')
  const seen = []
  for (;;) {
    seen.push(...(await texts(page, '.items tbody th')))
    const next = page.getByRole('link', { name: 'Next page' })
    if ((await next.count()) === 0) break
    // Without a scroll, which would add the rows of the next page to this one.
    await next.evaluate((link) => link.click())
    const isTurned = (last) =>
      [...document.querySelectorAll('.items tbody th')].at(-1)?.textContent !== last
    await page.waitForFunction(isTurned, seen.at(-1))
  }
  same(seen.length, 130, 'items over all pages')
  same(new Set(seen).size, 130, 'different items')
  await page.getByRole('link', { name: 'Back to the start' }).click()
  await waitFor(async () => (await texts(page, '.items tbody th'))[0], '1')
}

async function tellProblems(page, { companies }) {
  const missing = await page.goto(`${companies}/v1/employees/nobody`)
  same(missing.status(), 404)
  await page.getByRole('link', { name: 'All employees here' }).click()
  const wrong = await page.goto(`${companies}/v1/employees?sort=nme&page=2`)
  same(wrong.status(), 400)
  same((await texts(page, '.issues li')).length, 2, 'issues')
  await page.getByRole('link', { name: 'birthdate' }).click()
  await page.locator('.status').getByText('200', { exact: true }).waitFor()
  const unknown = await page.goto(`${companies}/v1/employers`)
  same(unknown.status(), 404)
  await page.getByRole('link', { name: 'employees', exact: true }).first().click()
  same((await page.goto(`${companies}/v1/companies/nope/employees`)).status(), 404)
}

async function withoutScript(page, { companies }) {
  await page.goto(`${companies}/v1/employees`)
  same((await texts(page, '.items tbody th')).length, 6, 'items')
  same(await page.locator('form:visible').count(), 1, 'forms: the search')
  await page.getByRole('link', { name: 'New' }).click()
  const panel = page.locator('#new')
  holds(await panel.getByText('The forms need JavaScript').isVisible(), 'a note')
  holds((await panel.innerText()).includes('-X POST'), 'the command that creates')
  await panel.getByRole('link', { name: 'Close' }).click()
  same(await panel.isVisible(), false, 'the panel')
  await page.getByRole('searchbox').fill('ada')
  await page.getByRole('button', { name: 'Search' }).click()
  same(await texts(page, '.items tbody td:nth-child(2)'), ['Ada Moreau'])
  await page.locator('thead').getByRole('link', { name: 'name' }).click()
  await page.getByRole('link', { name: '001', exact: true }).first().click()
  await page.locator('.dock summary').click()
  holds((await page.locator('.curl').innerText()).includes('curl'), 'the command')
  const line = await page.locator('.dock summary').innerText()
  holds(/GET\s+200\s+· [\d.]+ kB\s+\/v1\/employees\/001/.test(line), `no time: ${line}`)
}

async function include(page, { companies, below }) {
  const form = page.locator('.includes')
  const unfold = () => page.getByText('+ related').click()
  // The name comes first.
  const cells = () => texts(page, '.items tbody td:nth-child(3)')
  await page.goto(`${companies}/v1/employees?sort=-name&q=globex`)
  await unfold()
  await form.getByLabel('company').check()
  await form.getByRole('button').click()
  same(await cells(), ['Globex Shipping', 'Globex Shipping'], 'names')
  const { search } = new URL(page.url())
  same(search, '?sort=-name&q=globex&limit=50&include=company')
  await page.locator('thead').getByRole('link', { name: 'birthdate' }).click()
  same((await cells()).length, 2, 'included after sorting')
  await page.getByRole('link', { name: 'Globex Shipping' }).first().click()
  same(new URL(page.url()).pathname, '/v1/companies/002')
  await page.goto(`${below}/v1/employees/006`)
  await unfold()
  await form.getByLabel('company').check()
  await form.getByRole('button').click()
  holds((await page.locator('.item').innerText()).includes('null'), 'no company')
  await unfold()
  await form.getByLabel('company').uncheck()
  await form.getByRole('button').click()
  same(new URL(page.url()).search.replace('?', ''), '', 'nothing is included')
}

async function filter(page, { things }) {
  const form = page.locator('.filters form')
  const choices = form.getByRole('group', { name: 'color is', exact: true })
  await page.goto(`${things}/v1/things?sort=-size&limit=10`)
  same(await page.locator('form:visible').count(), 1, 'the filters are folded')
  const unfold = () => page.getByText('+ filter').click()
  await unfold()
  await choices.getByLabel('green').check()
  await form.getByLabel('size at least').fill('90')
  await form.getByRole('button').click()
  await page.waitForURL(/color=green/)
  const { search } = new URL(page.url())
  holds(/size%3Alte=(?:&|$)/.test(search), 'the browser sends the empty input')
  const asked = '/v1/things?sort=-size&limit=10&color=green&size%3Agte=90'
  same(await page.locator('.url').innerText(), asked, 'the page drops it')
  const colors = await texts(page, '.items tbody td:nth-child(3)')
  same([...new Set(colors)], ['green'], 'colors')
  holds(/of \d+/.test(await page.locator('.pager p').innerText()), 'the total')
  same(await form.getByLabel('size at least').inputValue(), '90', 'the form keeps the value')
  await page.locator('thead').getByRole('link', { name: 'title' }).click()
  same(await texts(page, '.chips b'), ['color', 'size', 'title', 'size'], 'chips after sorting')
  await page.getByRole('link', { name: 'Remove color is green' }).click()
  same((await page.locator('.chips li').first().textContent()).trim(), 'size at least 90 ×')
  await page.locator('thead').getByRole('link', { name: 'id', exact: true }).click()
  holds((await page.locator('.url').innerText()).includes('sort=id,title,-size'), 'sorts by id')
  const wrong = await page.goto(`${things}/v1/things?color=blue&size:gte=x&limit=10`)
  same(wrong.status(), 400)
  same((await texts(page, '.issues li')).length, 2, 'issues')
  const invalid = page.locator('[aria-invalid]')
  const names = await invalid.evaluateAll((all) => all.map(({ name }) => name))
  same([...new Set(names)], ['color', 'size:gte'], 'the inputs of the issues')
  await choices.getByLabel('blue', { exact: true }).uncheck()
  await choices.getByLabel('red').check()
  await form.getByLabel('size at least').fill('')
  await form.getByRole('button').click()
  same(await page.locator('.status').innerText(), '200')
}

async function count(page, { companies }) {
  const open = new Set()
  const seen = []
  page.on('request', (request) => {
    if (/\/count$/.test(request.url())) seen.push(new URL(request.url()).pathname)
  })
  await page.route('**/count', async (route) => {
    open.add(route)
    holds(open.size <= 2, 'two requests at once')
    await new Promise((resolve) => setTimeout(resolve, 50))
    open.delete(route)
    await route.continue()
  })
  await page.goto(`${companies}/v2/companies/001`)
  const rail = page.getByRole('navigation', { name: 'Resources' })
  const numbers = rail.locator('[data-number]')
  await numbers.last().filter({ hasText: /\d/ }).waitFor()
  holds(
    (await numbers.allInnerTexts()).every((text) => /^\d+$/.test(text)),
    'numbers',
  )
  const before = [...seen].sort()
  same(new Set(before).size, 4, 'collections counted')
  await page.reload()
  await numbers.last().filter({ hasText: /\d/ }).waitFor()
  same([...seen].sort(), before, 'no number is read again within a minute')
  await rail.getByRole('link', { name: 'v1' }).click()
  same(new URL(page.url()).pathname, '/v1/companies/001', 'the same page of another version')
  await page.setViewportSize({ width: 390, height: 800 })
  same(await rail.isVisible(), false, 'the rail of a narrow screen')
  await page.getByRole('link', { name: 'Resources', exact: true }).click()
  await rail.waitFor()
  same(await axeFaults(page), [], 'axe, with the rail')
  await rail.getByRole('link', { name: 'Close the resources' }).click()
  await rail.waitFor({ state: 'hidden' })
}

// A line of text has 22.5 pixels, a row some more around it.
const mostOfRow = 42

async function keepRows(page, { things, folder }) {
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.goto(`${things}/v1/albums?q=album`)
    const heights = await page
      .locator('.items tbody tr')
      .evaluateAll((rows) => rows.map((row) => row.getBoundingClientRect().height))
    // A card has two lines.
    const most = width < 600 ? 2 * mostOfRow : mostOfRow
    holds(Math.max(...heights) <= most, `rows of one line at ${width}: ${heights}`)
    const clear = page.getByRole('link', { name: 'Clear' })
    holds((await clear.boundingBox()).height < 36, `"Clear" on one line at ${width}`)
    const buttons = await page
      .locator('button:visible, .pager a, .ends a')
      .evaluateAll((all) => all.map((one) => [one.textContent, one.getBoundingClientRect().height]))
    same(
      buttons.filter(([, height]) => height > mostOfRow),
      [],
      'buttons of two lines',
    )
    if (folder) await page.screenshot({ path: `${folder}/rows-${width}.png`, timeout: 30_000 })
  }
  await page.setViewportSize({ width: 1280, height: 800 })
  const cut = page.getByText('A record of some sixty').first()
  await cut.hover()
  const whole = 'A record of some sixty characters, long enough to be too wide.'
  same(await cut.getAttribute('title'), whole, 'the title of what is cut off')
  await page.getByRole('link', { name: 'a1', exact: true }).click()
  const value = page.locator('.item dd').filter({ hasText: 'Night train' })
  const isWhole = await value.evaluate((box) => box.scrollWidth <= box.clientWidth)
  holds(isWhole, 'the page of the item shows all of it')
}

async function keepMenus(page, { companies }) {
  for (const width of [320, 640, 1000, 1280]) {
    await page.setViewportSize({ width, height: 640 })
    await page.goto(`${companies}/v2/companies/001/employees?birthdate:lt=1990-01-01&sort=id`)
    for (const menu of await page.locator('.menu').all()) {
      await menu.locator('> summary').click()
      const { x, width: wide } = await menu.locator('form').boundingBox()
      holds(x >= 0 && x + wide <= width, `a menu in the window of ${width}: ${x} to ${x + wide}`)
      await menu.locator('> summary').click()
    }
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    same(wide, 0, `pixels beside the window of ${width}`)
  }
}

// The pictures have other pages.
const kinds = [
  ['collection', 'companies', '/v1/companies'],
  ['included', 'companies', '/v1/employees?limit=3&include=company'],
  ['including-item', 'companies', '/v1/employees/001?include=company'],
  ['first', 'companies', '/v1/employees/first'],
  ['missing', 'companies', '/v1/employees/nobody'],
  ['unknown', 'companies', '/v1/nothing'],
  ['odd-collection', 'things', '/v1/things'],
  ['filtered', 'things', '/v1/things?color=red&size:gte=3&title:contains=thing&limit=5&offset=5'],
  ['bad-filter', 'things', '/v1/things?color=blue&size:gte=x'],
  ['odd-item', 'things', '/v1/things/3'],
  ['hostile', 'things', '/v1/texts'],
  ['wide', 'things', '/v1/albums?q=album'],
  ['schemaless', 'things', '/v1/blobs/a'],
  ['read-only', 'things', '/v1/logs'],
]

function look(width) {
  return async (page, places) => {
    const found = []
    for (const [name, place, path] of kinds) {
      await page.goto(places[place] + path)
      await page.locator('details').evaluateAll((all) => {
        for (const details of all) details.open = details.name === ''
      })
      await page.mouse.move(0, 0)
      const look = async (what) => {
        const faults = await axeOfSchemes(page)
        if (faults.length > 0) found.push(`${what}: ${JSON.stringify(faults, undefined, 1)}`)
      }
      await look(name)
      for (const panel of await page.locator('dialog.drawer').all()) {
        const id = await panel.getAttribute('id')
        await page.evaluate((hash) => location.assign(`#${hash}`), id)
        await panel.waitFor()
        await look(`${name}, #${id}`)
      }
      await page.evaluate(() => document.querySelector('dialog.drawer[open]')?.close())
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      if (wide > 0) found.push(`${name}: ${wide} pixels too wide`)
      if (places.folder === undefined) continue
      const path_ = `${places.folder}/${name}-${width}.png`
      await page.screenshot({ path: path_, fullPage: true, timeout: 30_000 })
    }
    if (found.length > 0) throw new Error(found.join('\n'))
  }
}

export const browse = [
  ['the start page', begin],
  ['down to nested collections, and up', goDown],
  ['search, count, last', search],
  ['sort by headings', sort],
  ['pages', turnPages],
  ['problems lead somewhere', tellProblems],
  ['the rail counts late', count],
  ['rows and buttons of one line', keepRows],
  ['menus stay in the window', keepMenus],
  ['without JavaScript', withoutScript, { javaScriptEnabled: false }],
  ['filters without JavaScript', filter, { javaScriptEnabled: false }],
  ['included items without JavaScript', include, { javaScriptEnabled: false }],
  ['axe and width: wide', look(1280), { reducedMotion: 'reduce' }],
  [
    'axe and width: narrow',
    look(390),
    { reducedMotion: 'reduce', viewport: { width: 390, height: 844 } },
  ],
]
