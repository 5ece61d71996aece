/** How a view gets an option that it does not name from the resource that it shows. */
interface OptionRow {
  /** The value as it is; the names of fields, translated; or not at all. */
  readonly inherit: 'value' | 'fields' | 'no'
}

/** The options of a resource. A view inherits most of them. */
// biome-ignore format: a row stays a line
export const resourceOptions = {
  schema:       { inherit: 'no' },
  create:       { inherit: 'no' },
  update:       { inherit: 'no' },
  id:           { inherit: 'no' },
  sortable:     { inherit: 'fields' },
  searchable:   { inherit: 'fields' },
  filterable:   { inherit: 'fields' },
  references:   { inherit: 'fields' },
  readOnly:     { inherit: 'fields' },
  filled:       { inherit: 'fields' },
  revision:     { inherit: 'fields' },
  plural:       { inherit: 'no' },
  maxLimit:     { inherit: 'value' },
  defaultLimit: { inherit: 'value' },
  without:      { inherit: 'value' },
  offers:       { inherit: 'no' },
  bounded:      { inherit: 'value' },
  total:        { inherit: 'value' },
  idempotent:   { inherit: 'value' },
  ownedBy:      { inherit: 'fields' },
  ids:          { inherit: 'value' },
  restricted:   { inherit: 'fields' },
  keep:         { inherit: 'fields' },
} as const satisfies Readonly<Record<string, OptionRow>>

/** The name of an option of a resource. */
export type OptionName = keyof typeof resourceOptions
