import { tryParseJson } from '../../../convention/value.ts'

/** An item that the tab has shown. */
export interface RecentItem {
  readonly label: string
  readonly url: string
}

const key = 'nounful.recent'
const maxItems = 10

/** Returns the items that the tab has shown, the latest first. */
export function readRecent(): readonly RecentItem[] {
  try {
    const items = tryParseJson(sessionStorage.getItem(key) ?? '[]')
    return Array.isArray(items) ? items : []
  } catch {
    return []
  }
}

/** Stores an item until the tab is closed. */
export function storeRecent(item: RecentItem): void {
  const olderItems = readRecent().filter(({ url }) => url !== item.url)
  try {
    sessionStorage.setItem(key, JSON.stringify([item, ...olderItems].slice(0, maxItems)))
  } catch {
    // The page may not store data.
  }
}
