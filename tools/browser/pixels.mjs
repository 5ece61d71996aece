// Pictures as pixels: decoded by Chromium, encoded as small PNG.
import { execFileSync } from 'node:child_process'
import { crc32, deflateSync } from 'node:zlib'

const minDistance = 3 * 24 ** 2
const minStep = 3 * 6 ** 2

/** The font of the pictures. */
export const font = 'DejaVu Sans'

/** Returns the font that this machine has for a family. */
export function fontOf(family) {
  try {
    return execFileSync('fc-match', ['--format', '%{family}', family], { encoding: 'utf8' })
  } catch {
    return 'no fc-match'
  }
}

/** Decodes a picture by a page of the browser: each pixel is a number, 0xRRGGBB. */
export async function pixelsOf(shot, page, scale = 1) {
  return page.evaluate(
    async ([source, scale]) => {
      const bitmap = await createImageBitmap(await (await fetch(source)).blob())
      const width = Math.round(bitmap.width * scale)
      const height = Math.round(bitmap.height * scale)
      const context = new OffscreenCanvas(width, height).getContext('2d')
      context.imageSmoothingQuality = 'high'
      context.drawImage(bitmap, 0, 0, width, height)
      const { data } = context.getImageData(0, 0, width, height)
      const pixels = Array.from({ length: width * height }, (_, at) => {
        return (data[4 * at] << 16) | (data[4 * at + 1] << 8) | data[4 * at + 2]
      })
      return { pixels, width, height }
    },
    [`data:image/png;base64,${shot.toString('base64')}`, scale],
  )
}

/** Encodes pixels as PNG with the most frequent colours; every other takes the nearest of them. */
export function pngOf({ pixels, width, height }, maxColours = 32) {
  const counts = new Map()
  for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1)
  const byCount = [...counts].sort(([, one], [, two]) => two - one).map(([colour]) => colour)
  const palette = paletteOf(byCount, maxColours)
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

// Nearly the same colour twice would leave none for text.
function paletteOf(colours, maxColours) {
  const palette = []
  for (const colour of colours) {
    const isNew = palette.every((candidate) => distance(candidate, colour) > minStep)
    if (isNew) palette.push(colour)
    if (palette.length === maxColours) break
  }
  return palette
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

/**
 * Returns the share of the pixels that differ between a screenshot and a picture. The browser
 * decodes both, and compares them. `scale` is of the screenshot.
 */
export function differenceOf(shot, picture, { page, scale = 1 }) {
  const [source, expected] = [shot, picture].map((png) => png.toString('base64'))
  return page.evaluate(compareInBrowser, { source, expected, scale, minDistance })
}

async function compareInBrowser({ source, expected, scale, minDistance }) {
  const decode = async (png, scale) => {
    const url = `data:image/png;base64,${png}`
    const bitmap = await createImageBitmap(await (await fetch(url)).blob())
    const width = Math.round(bitmap.width * scale)
    const height = Math.round(bitmap.height * scale)
    const context = new OffscreenCanvas(width, height).getContext('2d')
    context.imageSmoothingQuality = 'high'
    context.drawImage(bitmap, 0, 0, width, height)
    return context.getImageData(0, 0, width, height)
  }
  const [left, right] = [await decode(source, scale), await decode(expected, 1)]
  if (left.width !== right.width || left.height !== right.height) return 1
  let number = 0
  for (let at = 0; at < left.data.length; at += 4) {
    let distance = 0
    for (let part = at; part < at + 3; part++) distance += (left.data[part] - right.data[part]) ** 2
    if (distance > minDistance) number++
  }
  return number / (left.width * left.height)
}

function distance(one, two) {
  const [red, green, blue] = partsOf(one).map((part, at) => part - partsOf(two)[at])
  return red * red + green * green + blue * blue
}

function partsOf(colour) {
  return [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]
}
