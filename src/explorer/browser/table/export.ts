import { parseLink } from '../../../wire/link.ts'
import { findAll } from '../find.ts'
import { sendRequest } from '../send.ts'
import { showToast } from '../toast.ts'

/** A file to write. */
interface ExportTarget {
  write(text: string): unknown
  close(): unknown
}

/** Exports the list of a button to a file, page by page. */
export async function exportList({ dataset }: HTMLElement): Promise<void> {
  try {
    await writeItems(dataset, (words) => showToast('status', words))
  } catch (error) {
    showToast('alert', `The export broke off. ${error}`)
  }
}

async function writeItems(
  { export: url = '', format }: DOMStringMap,
  tell: (words: string) => void,
): Promise<void> {
  const columns = findAll(document, '.items thead bdi').map(({ innerText }) => innerText)
  const { csvLine, csvOf } = await import('./csv.ts')
  const isCsv = format === 'csv'
  const [noun] = /[^/]*(?=\?|$)/.exec(url) ?? []
  const file = await fileAt(`${noun}.${format}`)
  let number = 0
  file.write(isCsv ? csvLine(columns) : '[')
  for (let next: string | undefined = url; next !== undefined; ) {
    const { response, value } = await sendRequest({ method: 'GET', url: next, headers: {} })
    if (!Array.isArray(value)) throw new Error(`${next} is ${response.status}`)
    file.write(isCsv ? csvOf(value, columns) : jsonOf(value, number > 0))
    number += value.length
    tell(`${number.toLocaleString('en')} items…`)
    next = nextOf(response.headers.link)
  }
  if (!isCsv) file.write('\n]\n')
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
