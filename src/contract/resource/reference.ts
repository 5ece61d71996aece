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

/** The resource that the option names for a field. */
export type TargetOf<Option> = Option extends { readonly to: infer To } ? To : Option

/** The member of a reference in a response: `company_id`, `companyId` → `company`. */
export type MemberOf<Field extends string, Option> = Option extends {
  readonly as: infer As extends string
}
  ? As
  : Field extends `${infer Name}_${Id}`
    ? Name
    : Field extends `${infer Name}${Id}`
      ? Name
      : Field

type Id = 'id' | 'Id'
