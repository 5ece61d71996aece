// Measures the built explorer, compressed: a page of 50 items with 14 fields, what a browser loads
// with it, and all scripts together. Follows every import as a browser would.
// node tools/gate/explorer.mjs
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { explorer } from '../../dist/explorer.js'
import { toFetchHandler } from '../../dist/fetch.js'
import { defineApi, defineRegistry, defineResource } from '../../dist/index.js'
import { memoryAdapter } from '../../dist/memory.js'

const limits = { page: 8000, 'first load': 29_000, all: 37_000 }

const fields = Array.from({ length: 13 }, (_, index) => `field_${index}`)
const schema = z.object({
  id: z.string(),
  ...Object.fromEntries(fields.map((name) => [name, z.string()])),
})
const orders = defineResource('orders', {
  schema,
  create: schema.omit({ id: true }),
  sortable: ['field_0'],
  searchable: ['field_1'],
  filterable: ['field_1', 'field_2'],
})
const items = Array.from({ length: 50 }, (_, row) => ({
  id: `${1000 + row}`,
  ...Object.fromEntries(fields.map((name, column) => [name, `${(row * 7919 * column) % 9973}`])),
}))
const registry = defineRegistry(defineApi({ v1: { '/orders': orders } })).adapters({
  orders: memoryAdapter({ items }),
})
const handler = toFetchHandler(registry, { layers: [explorer(registry)] })

async function read(url) {
  const response = await handler(new Request(url, { headers: { accept: 'text/html' } }))
  if (response.status !== 200) throw new Error(`${url} is ${response.status}`)
  return response.text()
}

/** Loads a script with its imports: those that it needs at once, and those upon use. */
async function load(url, scripts, isLater = false) {
  const entry = scripts.get(url)
  if (entry !== undefined && (isLater || !entry.isLater)) return
  const text = await read(url)
  scripts.set(url, { text, isLater })
  for (const [, call, path] of text.matchAll(/(?:\bfrom|\bimport(\()?)"(\.[^"]+)"/g))
    await load(new URL(path, url).href, scripts, isLater || call !== undefined)
}

/** Fails where a script imports a name that the other script does not export. */
function linkNames(url, { text }, scripts) {
  for (const [, names, path] of text.matchAll(/\bimport\{([^}]*)\}from"(\.[^"]+)"/g)) {
    const source = scripts.get(new URL(path, url).href).text
    const exported = [...source.matchAll(/\bexport\{([^}]*)\}/g)].flatMap(([, list]) =>
      list.split(',').map((name) => name.split(' as ').at(-1)),
    )
    const absent = names.split(',').filter((name) => !exported.includes(name.split(' as ')[0]))
    if (absent.length > 0) throw new Error(`${url} imports ${absent} of ${path}, which has none`)
  }
}

const start = 'https://host/v1/orders'
const page = await read(start)
const urlOf = (pattern) => new URL(pattern.exec(page)[1], start).href
const style = await read(urlOf(/rel="stylesheet" href="([^"]+)"/))
const scripts = new Map()
await load(urlOf(/<script type="module" src="([^"]+)"/), scripts)
for (const [url, script] of scripts) linkNames(url, script, scripts)
const bytes = (texts) => texts.reduce((sum, text) => sum + gzipSync(text).length, 0)
const textsOf = (entries) => entries.map(({ text }) => text)
const entries = [...scripts.values()]
const sizes = {
  page: bytes([page]),
  'first load': bytes([page, style, ...textsOf(entries.filter(({ isLater }) => !isLater))]),
  all: bytes([page, style, ...textsOf(entries)]),
}
for (const [name, size] of Object.entries(sizes)) {
  console.log(`${name}: ${size} bytes of ${limits[name]}`)
  if (size > limits[name]) process.exitCode = 1
}
