// RFC 9110 §4.2.1, §4.2.4: with a host, without a user.
const absoluteSyntax =
  /^https?:\/\/((?:\[[\w.:]+\]|(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})+)(?::\d{0,5})?)((?:[/?#].*)?)$/is

/**
 * Takes the origin off a request target in absolute form (RFC 9112 §3.2.2):
 * `http://x:80/v1/notes?q=a` → `/v1/notes?q=a`. Returns every other text unchanged.
 */
export function withoutOrigin(url: string): string {
  if (url.charCodeAt(0) === 0x2f) return url
  const target = absoluteSyntax.exec(url)?.[2]
  if (target === undefined) return url
  return target.startsWith('/') ? target : `/${target}`
}

/** Returns host and port of a target in absolute form: `x:80`; `undefined` for any other. */
export function hostOf(url: string): string | undefined {
  return url.charCodeAt(0) === 0x2f ? undefined : absoluteSyntax.exec(url)?.[1]
}
