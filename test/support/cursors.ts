/** The content of a cursor: the mark of its query, then values. */
export type Parts = readonly unknown[]

/** Reads a cursor without judging it. */
export function partsOf(cursor: string): Parts {
  return JSON.parse(Buffer.from(cursor, 'base64url').toString())
}

/** Writes a cursor that no server has written. */
export function forged(parts: Parts): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** The URL of the next page, as `Link` tells it; `undefined` at the end. */
export function nextOf({ headers }: { readonly headers?: Readonly<Record<string, string>> }) {
  return /<([^>]+)>/.exec(headers?.link ?? '')?.[1]
}

/** The cursor in a URL. */
export function cursorIn(url = ''): string {
  return /[?&]after=([^&]*)/.exec(url)?.[1] ?? ''
}

/** Values that a database may take for something else than text, or refuse to take at all. */
export const oddValues: readonly unknown[] = [
  'now', 'today', 'tomorrow', 'yesterday', 'epoch', 'infinity', '-infinity', 'allballs', 'now()',
  'current_timestamp', '2026', '20260101', '2026-01', '2026-1-1', '2026-02-30', '2026-01-01',
  '0000-00-00', '0000-01-01', '2026-01-01 BC', 'Jan 1 2026', '1/2/2026', 'J2451187',
  '2026-01-01T00:00:00', '2026-01-01T00:00:00Z', '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00+02:00', '2026-01-01T24:00:00Z', '2026-01-01T00:00:60Z',
  '2026-01-01T00:00:00+15:60', '9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00+23:59',
  '2026-01-01T00:00:00 Europe/Berlin', `2026-01-01T00:00:00.${'0'.repeat(200)}Z`, '10:00',
  '10:00:00', '10:00 PM', '24:00:00', '24:00:01', '25:00:00', '-01:00:00', '839:00:00',
  '10:00:00+02', '10:00:00.1234567', '0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11',
  '0190B6A3-1F5A-7C3E-8A36-0C5D2B9B6A11', '{0190b6a3-1f5a-7c3e-8a36-0c5d2b9b6a11}',
  '0190b6a31f5a7c3e8a360c5d2b9b6a11', '0', '1', '-1', '1.5', '-Infinity', '9007199254740993',
  '9223372036854775807', '9223372036854775808', '-9223372036854775809', '12345678901234567890',
  '9'.repeat(400), '1e5', 'NaN', 'Infinity', '0x10', ' 1', 'true', 't', 'yes', 'on', 'null', 'NULL',
  'default', '', ' ', 'a', "'", '"', '\\', '\n', 'é', '😀', '\uffff', '{}', '[]', '"a"', 'sad',
  'a'.repeat(2000), 0, 1, -1, 1.5, 1e15, 2 ** 53, 2 ** 60, 2 ** 63, -(2 ** 63), 2 ** 64, 1e21, 1e38,
  1e39, 1e300, 1e-40, 1e-300, 5e-324, 65536, 2 ** 31, 10000, 2155, true, false, null, ['a'],
  { a: 1 }, '\0', 'a\0b', '\ud800', 'a\udfff',
] // biome-ignore format: words
