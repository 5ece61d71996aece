// Writes the pictures of the explorer in README.md, in light and dark, or checks them:
// node --conditions=nounful:source tools/browser/picture.mjs [--check | --write]
// The check compares only where the font is the one of the pictures. CHROMIUM is the path of the
// browser, default /usr/bin/chromium.
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import { registry } from '../../examples/companies/registry.ts'
import { explorer } from '../../src/explorer.ts'
import { serve } from '../../src/node.ts'
import { openBrowser } from './open.mjs'

const viewport = { width: 1200, height: 560 }
const maxColours = 32
const query = 'birthdate:lt=1995-01-01&sort=-birthdate'

// The font of the pictures, and how many of their pixels may differ from it.
const font = 'DejaVu Sans'
const maxShare = 0.01
const minDistance = 3 * 24 ** 2

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
try {
  for (const colorScheme of ['light', 'dark']) {
    const page = await chromium.openPage({ viewport, colorScheme })
    await page.goto(`${url}/v2/employees?${query}`)
    // The numbers come late.
    await page.getByText('5 of 6').waitFor()
    await page.locator('[data-number]').last().filter({ hasText: /\d/ }).waitFor()
    await page.waitForLoadState('networkidle')
    const shot = await pixelsOf(await page.screenshot())
    const file = new URL(`../../docs/explorer-${colorScheme}.png`, import.meta.url)
    if (mode === '--check') await compare(file, shot)
    else write(file, shot)
  }
} finally {
  await chromium.close()
  await close()
}

function write(file, { pixels, width, height }) {
  const picture = pngOf(pixels, width, height)
  writeFileSync(file, picture)
  console.log(`${file.pathname}: ${picture.length} bytes`)
}

async function compare(file, { pixels, width, height }) {
  const shown = await pixelsOf(readFileSync(file))
  const isOther = shown.width !== width || shown.height !== height
  const different = pixels.filter((colour, at) => distance(colour, shown.pixels[at]) > minDistance)
  const share = isOther ? 1 : different.length / pixels.length
  console.log(`${file.pathname}: ${(100 * share).toFixed(2)} % of the pixels differ`)
  if (share <= maxShare) return
  console.error('It is not up to date. Run tools/browser/picture.mjs --write')
  process.exitCode = 1
}

function fontOf(family) {
  try {
    return execFileSync('fc-match', ['--format', '%{family}', family], { encoding: 'utf8' })
  } catch {
    return 'no fc-match'
  }
}

/** Decodes a picture by the browser: each pixel is a number, 0xRRGGBB. */
async function pixelsOf(shot) {
  const page = await chromium.openPage({})
  return page.evaluate(
    async (source) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob())
      const { width, height } = bitmap
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context.drawImage(bitmap, 0, 0)
      const { data } = context.getImageData(0, 0, width, height)
      const pixels = Array.from({ length: width * height }, (_, at) => {
        return (data[4 * at] << 16) | (data[4 * at + 1] << 8) | data[4 * at + 2]
      })
      return { pixels, width, height }
    },
    `data:image/png;base64,${shot.toString('base64')}`,
  )
}

/** Encodes pixels as PNG with the most frequent colours; every other takes the nearest of them. */
function pngOf(pixels, width, height) {
  const counts = new Map()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const byCount = [...counts].sort(([, one], [, two]) => two - one).map(([colour]) => colour)
  const palette = byCount.slice(0, maxColours)
  const indexes = new Map(byCount.map((colour) => [colour, nearest(palette, colour)]))
  const rows = Buffer.alloc((width + 1) * height)
  pixels.forEach((colour, at) => {
    rows[at + Math.floor(at / width) + 1] = indexes.get(colour)
  })
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  // Eight bits a pixel, each an index of the palette.
  head.set([8, 3], 8)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunkOf('IHDR', head),
    chunkOf('PLTE', Buffer.from(palette.flatMap(partsOf))),
    chunkOf('IDAT', deflateSync(rows, { level: 9 })),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function chunkOf(type, data) {
  const content = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(data.length, 0)
  ends.writeUInt32BE(crc32(content), 4)
  return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)])
}

function nearest(palette, colour) {
  const distances = palette.map((candidate) => distance(candidate, colour))
  return distances.indexOf(Math.min(...distances))
}

function distance(one, two) {
  const [red, green, blue] = partsOf(one).map((part, at) => part - partsOf(two)[at])
  return red * red + green * green + blue * blue
}

function partsOf(colour) {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]
}
