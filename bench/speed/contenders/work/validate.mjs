const fields = ['name', 'email', 'birthdate', 'department', 'company_id']
const email = /^[^\s@]+@[^\s@]+$/
const date = /^\d{4}-\d{2}-\d{2}$/

/** Finds the faults of a list of employees: of each item, and of its id. */
export function faultsOfAll(body) {
  if (!Array.isArray(body)) return [{ field: '', message: 'is no array' }]
  const ids = new Set()
  const faults = []
  for (const item of body) {
    const found = faultsOf(item)
    if (found.length > 0) faults.push(...found)
    else if (typeof item.id !== 'string') faults.push({ field: 'id', message: 'is no text' })
    else ids.add(item.id)
  }
  if (faults.length === 0 && ids.size < body.length) return [{ field: 'id', message: 'repeats' }]
  return faults
}

/** Returns an issue for each invalid field of a new employee. Ignores unknown fields. */
export function faultsOf(body) {
  if (typeof body !== 'object' || body === null) return [{ field: '', message: 'is no object' }]
  const faults = []
  for (const field of fields) {
    const value = body[field]
    if (typeof value !== 'string' || value === '') faults.push({ field, message: 'is no text' })
  }
  if (faults.length > 0) return faults
  if (!email.test(body.email)) faults.push({ field: 'email', message: 'is no address' })
  if (!date.test(body.birthdate)) faults.push({ field: 'birthdate', message: 'is no date' })
  return faults
}
