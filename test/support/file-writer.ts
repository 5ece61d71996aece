// Writes to a JSON file for ever, and prints each write once it is acknowledged.
// node file-writer.ts <file>
import { writeSync } from 'node:fs'
import process from 'node:process'
import { openFile, type ServedContent } from '../../src/file/open.ts'
import { handle } from '../../src/server/handle.ts'

let content: ServedContent | undefined
await openFile(String(process.argv[2]), {
  ...{ id: 'id', ids: undefined, isStrict: false, isReadOnly: false, isWatched: true },
  onNotice: (text) => writeSync(2, `${text}\n`),
  onError: (error) => writeSync(2, `${error}\n`),
  onServed: (served) => {
    content = served
  },
})

async function send(method: string, url: string, item?: object): Promise<unknown> {
  if (content === undefined) throw new Error('Nothing is served')
  const headers = { 'content-type': 'application/json' }
  const body = item === undefined ? {} : { headers, body: JSON.stringify(item) }
  const response = await handle({ method, url, ...body }, content.registry)
  // Another process saved meanwhile.
  if (response.status === 503) return send(method, url, item)
  if (response.status >= 400) throw new Error(`${method} ${url}: ${response.status}`)
  writeSync(1, `${JSON.stringify({ method, item: response.body })}\n`)
  return response.body
}

async function writeForEver(writer: number): Promise<void> {
  for (let count = 0; ; count++) {
    const item = Object(await send('POST', '/notes', { writer, count }))
    await send('PATCH', `/notes/${item.id}`, { count: count + 1000 })
    if (count % 2 === 0) await send('DELETE', `/notes/${item.id}`)
  }
}

await Promise.all([1, 2, 3].map(writeForEver))
