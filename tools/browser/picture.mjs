// Writes the pictures of the explorer in README.md, in light and dark, or checks them:
// node --conditions=nounful:source tools/browser/picture.mjs [--check | --write]
// The check compares only where the font is the one of the pictures. CHROMIUM is the path of the
// browser, default /usr/bin/chromium.
import { readFileSync, writeFileSync } from 'node:fs'
import { registry } from '../../examples/companies/registry.ts'
import { explorer } from '../../src/explorer.ts'
import { serve } from '../../src/node.ts'
import { openBrowser } from './open.mjs'
import { differenceOf, font, fontOf, pixelsOf, pngOf } from './pixels.mjs'

const viewport = { width: 1200, height: 560 }
const query = 'birthdate:lt=1995-01-01&sort=-birthdate'

// How many pixels may differ.
const maxShare = 0.01

// Each kilobyte of a picture is one of the package.
const maxColours = 16

const mode = process.argv[2] ?? '--write'
if (mode !== '--check' && mode !== '--write') {
  console.error(`Unknown option "${mode}". Allowed: --check, --write`)
  process.exit(2)
}
if (mode === '--check' && fontOf('sans-serif') !== font) {
  console.log(`Not compared: this machine has ${fontOf('sans-serif')} instead of ${font}.`)
  process.exit()
}
const layers = [explorer(registry, { title: 'Companies' })]
const { url, close } = await serve(registry, { port: 0, layers, log: false })
const chromium = await openBrowser()
const decoder = await chromium.openPage({})
try {
  for (const colorScheme of ['light', 'dark']) {
    const page = await chromium.openPage({ viewport, colorScheme })
    await page.goto(`${url}/v2/employees?${query}`)
    // The numbers come late.
    await page.getByText('5 of 6').waitFor()
    await page.locator('[data-number]').last().filter({ hasText: /\d/ }).waitFor()
    await page.waitForLoadState('networkidle')
    const shot = await page.screenshot()
    const file = new URL(`../../docs/explorer-${colorScheme}.png`, import.meta.url)
    if (mode === '--check') await compare(file, shot)
    else write(file, await pixelsOf(shot, decoder))
  }
} finally {
  await chromium.close()
  await close()
}

function write(file, picture) {
  const png = pngOf(picture, maxColours)
  writeFileSync(file, png)
  console.log(`${file.pathname}: ${png.length} bytes`)
}

async function compare(file, shot) {
  const share = await differenceOf(shot, readFileSync(file), { page: decoder })
  console.log(`${file.pathname}: ${(100 * share).toFixed(2)} % of the pixels differ`)
  if (share <= maxShare) return
  console.error('It is not up to date. Run tools/browser/picture.mjs --write')
  process.exitCode = 1
}
