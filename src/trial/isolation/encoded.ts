/** Returns a text with what its tokens hold in Base64, hexadecimal digits or percent escapes. */
export function textsWithin(text: string): string {
  const tokens = [...new Set(text.match(/[\w+/-]{8,}={0,2}/g) ?? [])]
  return [text, unescaped(text), ...tokens.flatMap((token) => [fromBase64(token), fromHex(token)])]
    .filter((one) => one !== undefined)
    .join('\n')
}

function unescaped(text: string): string {
  return text.replace(/%[\da-f]{2}/gi, (triple) =>
    String.fromCharCode(Number.parseInt(triple.slice(1), 16)),
  )
}

function fromBase64(token: string): string | undefined {
  try {
    return atob(token.replaceAll('-', '+').replaceAll('_', '/'))
  } catch {
    return undefined
  }
}

function fromHex(token: string): string | undefined {
  if (!/^(?:[\da-f]{2})+$/i.test(token)) return undefined
  return token.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
}
