import { setTimeout } from 'node:timers/promises'
import axe from 'axe-core'
import { chromium } from 'playwright-core'

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Starts Chromium. Its page keeps `faults`: foreign requests, violations of its policy, errors. */
export async function openBrowser() {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  return {
    close: () => browser.close(),
    async openPage({ prepare, ...options }) {
      const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        ...options,
      })
      const page = await context.newPage()
      page.setDefaultTimeout(5000)
      page.faults = []
      page.on('console', (message) => {
        // Chromium reports a status from 400 as an error too. Some checks are about these.
        if (
          message.type() === 'error' &&
          !/Failed to load resource.*status of 4/.test(message.text())
        )
          page.faults.push(message.text())
      })
      page.on('pageerror', (error) => page.faults.push(`${error}`))
      page.on('request', (request) => {
        if (!/^(?:http:\/\/127\.0\.0\.1:|data:)/.test(request.url()))
          page.faults.push(`A request elsewhere: ${request.url()}`)
      })
      return page
    },
  }
}

const sessions = new WeakMap()

/** Everything that axe finds in a page, best practices included; or what one rule finds. */
export async function axeFaults(page, rule) {
  const session = sessions.get(page) ?? (await page.context().newCDPSession(page))
  sessions.set(page, session)
  // Past the policy of the page, which would not let it in. A document keeps it.
  const isKnown = await session.send('Runtime.evaluate', { expression: "'axe' in globalThis" })
  if (!isKnown.result.value) await session.send('Runtime.evaluate', { expression: axe.source })
  const { result } = await session.send('Runtime.evaluate', {
    expression: `(${runAxe})(${JSON.stringify(rule)})`,
    awaitPromise: true,
    returnByValue: true,
  })
  return JSON.parse(result.value)
}

/** Everything that axe finds in light colours, and what it finds in the contrast of dark ones. */
export async function axeOfSchemes(page) {
  await page.emulateMedia({ colorScheme: 'light' })
  const faults = await axeFaults(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  const darkFaults = await axeFaults(page, 'color-contrast')
  await page.emulateMedia({ colorScheme: 'light' })
  return [...faults, ...darkFaults]
}

async function runAxe(rule) {
  const runOnly = rule === undefined ? {} : { runOnly: [rule] }
  const options = { resultTypes: ['violations'], ...runOnly }
  const { violations } = await globalThis.axe.run(document, options)
  const lines = violations.map(({ id, nodes }) => [
    id,
    nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`),
  ])
  return JSON.stringify(lines)
}

/** Returns the texts of elements, also of rows that Chromium has not rendered yet. */
export function texts(page, selector) {
  return page.locator(selector).allTextContents()
}

/** Waits until a page shows the expected values. Fails after five seconds. */
export async function waitFor(read, expected, what) {
  const end = Date.now() + 5000
  const text = JSON.stringify(expected)
  while (JSON.stringify(await read()) !== text && Date.now() < end) await setTimeout(20)
  same(await read(), expected, what)
}

/** Fails unless the findings are the expected ones. */
export function same(found, expected, what = 'it') {
  const [one, other] = [found, expected].map((value) => JSON.stringify(value))
  if (one !== other) throw new Error(`${what}: ${one} is not ${other}`)
}

/** Fails unless something holds. */
export function holds(condition, what) {
  if (!condition) throw new Error(`It does not hold: ${what}`)
}
