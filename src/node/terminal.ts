import { type Layer, servedPageOf } from '../contract/resource/http.ts'
import type { AnyRegistry } from '../contract/resource/registry.ts'
import { escapeControls } from '../convention/escape.ts'
import { formatFindings, mismatchesOf } from '../convention/mismatch.ts'

/** Gets a line for the developer who started the server. */
export type LineListener = (line: string) => void

/** A server that listens. */
interface Listening {
  /** With the prefix of the host: `http://127.0.0.1:3000/api`. */
  readonly url: string
  readonly registry: AnyRegistry
  readonly layers: readonly Layer[]
  /** Tells whether the server still runs: one that stops may have closed its storage. */
  isOpen(): boolean
}

const shownCollections = 20

/**
 * Prints the URL of a server, its collections, and the pages of its layers. Then, in its own time,
 * the mismatches of the storage, or else the advice on it.
 */
export function announce(server: Listening, log: LineListener): void {
  printStart(server, log)
  void printFindings(server, log)
}

function printStart({ url, registry, layers }: Listening, log: LineListener): void {
  const { collections } = registry.api
  const paths = collections.map(({ version, path }) => `/${version}${path}`)
  const more = paths.length - shownCollections
  log(`Listening on ${url}`)
  log('')
  for (const path of paths.slice(0, shownCollections)) log(`  ${escapeControls(path)}`)
  if (more > 0) log(`  … and ${more} more: "npx nounful routes" lists them`)
  const pages = layers.flatMap((layer) => servedPageOf(layer) ?? [])
  if (pages.length > 0) log('')
  const width = Math.max(...pages.map(({ title }) => title.length))
  for (const { title, path } of pages) log(`  ${title.padEnd(width)}  ${url}${path}`)
  log('')
}

async function printFindings({ registry, isOpen }: Listening, log: LineListener): Promise<void> {
  const lines = await findingsOf(registry)
  if (!isOpen() || lines.length === 0) return
  for (const line of [...lines, '']) log(line)
}

async function findingsOf(registry: AnyRegistry): Promise<readonly string[]> {
  try {
    await registry.ready()
    return formatFindings('Advice on the storage:', await registry.advise())
  } catch (error) {
    return formatFindings('The storage does not fit the contract:', mismatchesOf(error, 'storage'))
  }
}
