/** A field that holds the id of an item of another resource. */
export interface Reference {
  readonly field: string
  /** The name of the other resource. */
  readonly to: string
  /** The member that holds the whole item in a response: `company` of `company_id`. */
  readonly as: string
}

/** The option `references`: the other resource of each field, with another member if needed. */
export type ReferencesOption = Readonly<
  Record<string, string | { readonly to: string; readonly as?: string }>
>
