/** Joins chunks of bytes. A single chunk stays the same object. */
export function joinBytes<Chunk extends Uint8Array>(
  chunks: readonly Chunk[],
): Chunk | Uint8Array<ArrayBuffer> {
  const [first] = chunks
  if (first && chunks.length === 1) return first
  const all = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0))
  let offset = 0
  for (const chunk of chunks) {
    all.set(chunk, offset)
    offset += chunk.length
  }
  return all
}
