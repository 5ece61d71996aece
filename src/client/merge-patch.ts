/**
 * A merge patch (RFC 7396): the members to change, at every depth of plain objects. `null` removes
 * a member that may be absent. A patch replaces an array.
 */
export type MergePatch<Value> = {
  [Name in keyof Value]?: PatchOf<Value[Name]> | NullOf<Pick<Value, Name>>
}

type PatchOf<Value> = Value extends Whole ? Value : Value extends object ? MergePatch<Value> : Value

type Whole = string | number | boolean | null | undefined | readonly unknown[]

// An empty object fits where the member is optional.
type NullOf<Member> = Record<never, never> extends Member ? null : never
