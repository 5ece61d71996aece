// PostgreSQL has the shortest names: 63 bytes.
const longest = 63

/** Returns the name of a new index, which no other of the schema has. */
export function indexName(parts: readonly string[], names: readonly string[]): string {
  const taken = new Set(names.map((name) => name.toLowerCase()))
  const [table = '', form = '', ...columns] = parts
  const whole = `${table}_${form}_${columns.join('_')}`
  let name = cut(whole, '')
  for (let next = 2; taken.has(name.toLowerCase()); next++) name = cut(whole, `_${next}`)
  return name
}

// A long name ends with a number that its cut part makes.
function cut(name: string, end: string): string {
  if (bytesIn(name + end) <= longest) return name + end
  const tail = `_${hashOf(name)}${end}`
  let start = [...name].slice(0, longest)
  while (bytesIn(start.join('') + tail) > longest) start = start.slice(0, -1)
  return start.join('') + tail
}

function bytesIn(text: string): number {
  return new TextEncoder().encode(text).length
}

// FNV-1a.
function hashOf(text: string): string {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
