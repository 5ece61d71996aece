// A client can send a misspelt name in each request, and no declared name is this long.
const maxLength = 64
const maxNames = 1_000

/**
 * Returns the allowed name that a misspelt one probably means: the nearest by letters, else one of
 * the same letters, else one that begins alike. `undefined` for none, for a name of more than 64
 * characters, and where more than 1,000 names are allowed.
 */
export function nearestTo(name: string, names: readonly string[]): string | undefined {
  if (name.length > maxLength || names.length > maxNames) return undefined
  const text = fold(name)
  let bound = Math.max(1, Math.floor(name.length / 3))
  let nearest: string | undefined
  for (const candidate of names) {
    const distance = distanceOf(text, foldedName(candidate), bound)
    if (distance > bound) continue
    nearest = candidate
    bound = distance - 1
  }
  if (nearest !== undefined) return nearest
  return (
    names.find((candidate) => isAnagram(text, foldedName(candidate))) ??
    names.find((candidate) => isStartOf(text, foldedName(candidate)))
  )
}

// Declared names are few, and each request with a misspelt one needs them all.
const foldedNames = new Map<string, string>()

function foldedName(name: string): string {
  const cached = foldedNames.get(name)
  if (cached !== undefined) return cached
  if (foldedNames.size >= 10 * maxNames) foldedNames.clear()
  const text = fold(name)
  foldedNames.set(name, text)
  return text
}

// `read_only` and `readonly` are both `readOnly`.
function fold(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

// `nmae` is `name`.
function isAnagram(name: string, candidate: string): boolean {
  return name.length === candidate.length && lettersOf(name) === lettersOf(candidate)
}

function lettersOf(text: string): string {
  return [...text].sort().join('')
}

// `sort` is `sortable`, `bodySize` is `body`, and `company` is `companies`.
function isStartOf(name: string, candidate: string): boolean {
  const shorter = Math.min(name.length, candidate.length)
  const start = Math.max(4, shorter > 5 ? shorter - 1 : shorter)
  return start <= shorter && name.slice(0, start) === candidate.slice(0, start)
}

// One for all calls: no call waits, and an allocation costs as much as a comparison.
const row = new Uint32Array(maxLength * 4)

// The Levenshtein distance, one row of its table at a time. It ends as soon as no cell of a row is
// within the bound (Ukkonen's cut-off), since most names are far from each other.
function distanceOf(name: string, candidate: string, bound: number): number {
  const width = candidate.length
  if (Math.abs(name.length - width) > bound) return bound + 1
  for (let column = 0; column <= width; column++) row[column] = column
  for (let line = 1; line <= name.length; line++) {
    const code = name.charCodeAt(line - 1)
    let diagonal = line - 1
    let cell = line
    let least = line
    row[0] = line
    for (let column = 1; column <= width; column++) {
      const above = Number(row[column])
      const changed = diagonal + (code === candidate.charCodeAt(column - 1) ? 0 : 1)
      cell = Math.min(above + 1, cell + 1, changed)
      diagonal = above
      row[column] = cell
      if (cell < least) least = cell
    }
    if (least > bound) return bound + 1
  }
  return Number(row[width])
}
