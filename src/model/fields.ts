/** The options of a resource that name fields. */
export const fieldLists = ['sortable', 'searchable', 'readOnly', 'filled'] as const

/** Returns the fault of the fields that options name, with its remedy; `undefined` for none. */
export function faultOfFields(
  declared: Readonly<Record<(typeof fieldLists)[number], readonly string[]>>,
): string | undefined {
  for (const key of fieldLists) {
    const fields = declared[key]
    if (fields.includes('__proto__')) {
      return `names a field "__proto__" in "${key}": objects lose such a field, name it otherwise`
    }
    if (new Set(fields).size < fields.length) return `names a field twice in "${key}": name it once`
  }
  const unsortable = declared.sortable.find((field) => !/^[^-,][^,]*$/.test(field))
  return unsortable === undefined
    ? undefined
    : `cannot sort by "${unsortable}": use a field name without a comma or a leading "-"`
}
