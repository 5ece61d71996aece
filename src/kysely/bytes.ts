/** Writes base64 as hexadecimal digits: `AP8=` → `00ff`. The inverse of {@link toBase64}. */
export function toHex(base64: string): string {
  let hex = ''
  for (const byte of atob(base64)) hex += byte.charCodeAt(0).toString(16).padStart(2, '0')
  return hex
}

/** Writes hexadecimal digits of any case as base64 (RFC 4648 §4). Inverse of {@link toHex}. */
export function toBase64(hex: string): string {
  let bytes = ''
  for (let at = 0; at < hex.length; at += 2) {
    bytes += String.fromCharCode(Number.parseInt(hex.slice(at, at + 2), 16))
  }
  return btoa(bytes)
}

/** Returns the number of bytes of a canonical base64 text, and `undefined` for other texts. */
export function bytesIn(base64: string): number | undefined {
  try {
    const bytes = atob(base64)
    return btoa(bytes) === base64 ? bytes.length : undefined
  } catch {
    return undefined
  }
}
