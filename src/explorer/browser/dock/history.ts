import { tryParseJson } from '../../../convention/value.ts'
import type { ShownRequest } from '../../message.ts'

/** A request of this tab, with what came back. */
export interface HistoryEntry {
  readonly request: ShownRequest
  readonly status: number
  readonly milliseconds: number
  /** The size of the response body, like `0.6 kB`. */
  readonly size: string
}

const key = 'nounful.history'
const maxEntries = 100
// Characters of a body.
const maxBody = 20_000

/** Returns the requests of this tab, the latest first. */
export function readHistory(): readonly HistoryEntry[] {
  try {
    const entries = tryParseJson(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(entries) ? entries : []
  } catch {
    return []
  }
}

/** Stores a request until the tab is closed. It never holds the authorization. */
export function storeRequest(entry: HistoryEntry): void {
  if ((entry.request.body ?? '').length > maxBody) return
  try {
    const entries = [entry, ...readHistory()].slice(0, maxEntries)
    sessionStorage.setItem(key, JSON.stringify(entries))
  } catch {
    // The page may not store data, or there is too much of it.
  }
}
