import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { HttpHeaders } from '../../src/contract/resource/http.ts'
import { type FileOptions, openFile, type ServedContent } from '../../src/file/open.ts'
import { handle } from '../../src/server/handle.ts'

/** A JSON file in a folder of its own, which is removed after the test. */
export interface TestFile {
  readonly folder: string
  readonly path: string
  read(): string
  write(text: string): void
}

/** Writes a JSON file for a test. */
export function createTestFile(content: unknown): TestFile {
  const folder = mkdtempSync(join(tmpdir(), 'nounful-file-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'db.json')
  const write = (text: string): void => writeFileSync(path, text)
  write(typeof content === 'string' ? content : `${JSON.stringify(content, undefined, 2)}\n`)
  return { folder, path, write, read: () => readFileSync(path, 'utf8') }
}

/** Opens a file, and returns a function that sends requests to what it serves. */
export async function openTestFile({ path }: TestFile, options: Partial<FileOptions> = {}) {
  const notices: string[] = []
  let content: ServedContent | undefined
  const file = await openFile(path, {
    ...{ id: 'id', ids: undefined, isStrict: false, isReadOnly: false, isWatched: true },
    onNotice: (text) => void notices.push(text),
    onError: () => undefined,
    onServed: (served) => {
      content = served
    },
    ...options,
  })
  onTestFinished(() => file.close())
  const send = async (line: string, item?: unknown, fields: HttpHeaders = {}) => {
    const [method = '', url = ''] = line.split(' ')
    if (content === undefined) throw new Error('Nothing is served')
    const headers = { 'content-type': 'application/json', ...fields }
    const body = item === undefined ? { headers: fields } : { headers, body: JSON.stringify(item) }
    return handle({ method, url, ...body }, content.registry)
  }
  return { send, notices, close: () => file.close() }
}
