/** Returns the link to the next page of the collection at `path` in the order of `sort`. */
export function linkAfter(last, { path, sort, limit }) {
  const order = sort.direction === 'desc' ? `-${sort.field}` : sort.field
  // A cursor is bound to its query: another query refuses it.
  const binding = fingerprint(`${path}?q=&sort=${order},id`)
  const cursor = JSON.stringify([binding, last[sort.field], last.id])
  const after = Buffer.from(cursor).toString('base64url')
  return `<${path}?sort=${order}&limit=${limit}&after=${after}>; rel="next"`
}

function fingerprint(text) {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  }
  return (hash >>> 0).toString(36)
}
