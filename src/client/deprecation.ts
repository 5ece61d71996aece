import { type Announcement, parseAnnouncement } from '../wire/lifecycle.ts'

/** The announced end of a version, as the server told it to a client. */
export interface DeprecationNotice {
  /** The version of the call: `v1`. */
  readonly version: string
  /** The moment from which new programs should use something else. It may be in the future. */
  readonly deprecated: Date
  /** The moment from which the version may be gone. Default: not announced. */
  readonly sunset: Date | undefined
  /** The path of the same target in the version that takes its place. Default: none. */
  readonly successor: string | undefined
  /** A page for people: a URL, or a path of the server. Default: none. */
  readonly docs: string | undefined
}

/** Receives each announced end once. */
export type DeprecationListener = (notice: DeprecationNotice) => void

/**
 * Makes a function that tells a listener of each announced end once: of a version, and of a path
 * with dates of its own. An error of the listener never fails the call.
 */
export function announcer(
  listener: DeprecationListener | undefined,
): (version: string, headers: Readonly<Record<string, string>>) => void {
  const keys = new Set<string>()
  return (version, headers) => {
    const { deprecation, sunset = '' } = headers
    if (listener === undefined || deprecation === undefined) return
    const key = [version, deprecation, sunset].join()
    const announcement = keys.has(key) ? undefined : parseAnnouncement(headers)
    if (announcement === undefined) return
    keys.add(key)
    try {
      listener(noticeOf(version, announcement))
    } catch {
      // The call has nothing to do with the listener.
    }
  }
}

function noticeOf(version: string, announcement: Announcement): DeprecationNotice {
  const { deprecatedAt, sunsetAt, successor, docs } = announcement
  const sunset = sunsetAt === undefined ? undefined : dateOfSeconds(sunsetAt)
  return { version, deprecated: dateOfSeconds(deprecatedAt), sunset, successor, docs }
}

function dateOfSeconds(seconds: number): Date {
  return new Date(seconds * 1000)
}
