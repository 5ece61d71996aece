import { parseLink } from '../../../wire/link.ts'
import { sendRequest } from '../send.ts'

/** A file to write. */
interface ExportTarget {
  write(text: string): unknown
  close(): unknown
}

/** The items to export. */
export interface ExportedList {
  /** The URL of the first page. */
  readonly url: string
  readonly format: 'csv' | 'json'
  /** The first line of a CSV file. */
  readonly head: string
  /** Writes lines of CSV. */
  readonly lines: (items: readonly unknown[]) => string
}

/**
 * Writes all items of a list to a file, page by page.
 *
 * @param tell Shows how far it is.
 */
export async function exportItems(
  list: ExportedList,
  tell: (words: string) => void,
): Promise<void> {
  const { format, head, lines } = list
  const [noun] = /[^/]*(?=\?|$)/.exec(list.url) ?? []
  const file = await fileAt(`${noun}.${format}`)
  let number = 0
  file.write(format === 'csv' ? head : '[')
  for (let next: string | undefined = list.url; next !== undefined; ) {
    const { response, value } = await sendRequest({ method: 'GET', url: next, headers: {} })
    if (!Array.isArray(value)) throw new Error(`${next} is ${response.status}`)
    file.write(format === 'csv' ? lines(value) : jsonOf(value, number > 0))
    number += value.length
    tell(`${number.toLocaleString('en')} items…`)
    next = nextOf(response.headers.link)
  }
  if (format === 'json') file.write('\n]\n')
  await file.close()
  tell(`${number.toLocaleString('en')} items are in the file.`)
}

// Only a path of this server.
function nextOf(link = ''): string | undefined {
  const { next } = parseLink(link)
  return next !== undefined && /^\/(?![/\\])/.test(next) ? next : undefined
}

function jsonOf(items: readonly unknown[], isLater: boolean): string {
  return items
    .map((item, index) => `${isLater || index > 0 ? ',' : ''}\n${JSON.stringify(item)}`)
    .join('')
}

interface SavePicker {
  showSaveFilePicker(options: { suggestedName: string }): Promise<{
    createWritable(): Promise<ExportTarget>
  }>
}

function hasPicker(scope: object): scope is SavePicker {
  return 'showSaveFilePicker' in scope
}

// A browser that cannot write to a file keeps the parts, and downloads them at the end.
async function fileAt(suggestedName: string): Promise<ExportTarget> {
  const scope: object = globalThis
  if (hasPicker(scope)) {
    const handle = await scope.showSaveFilePicker({ suggestedName })
    return handle.createWritable()
  }
  const parts: string[] = []
  return {
    write: (text) => parts.push(text),
    close() {
      const link = document.createElement('a')
      link.href = URL.createObjectURL(new Blob(parts))
      link.download = suggestedName
      link.click()
      URL.revokeObjectURL(link.href)
    },
  }
}
