/** The names of a template's parameters: `/companies/:company_id/employees` → `company_id`. */
export type ParametersOf<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParametersOf<`/${Rest}`>
  : never

/** Demands valid versions and paths, and items with the fields that nested paths name. */
export type Mountable<V> = {
  readonly [Version in keyof V]: Version extends `v${number}`
    ? { readonly [Path in keyof V[Version]]: FaultOf<Path, V[Version]> }
    : { readonly isNoVersion: Version }
}

type FaultOf<Path extends keyof Paths, Paths> = Path extends `/${string}`
  ? 'id' extends ParametersOf<Path>
    ? { readonly parameterIsNotTheFieldThatOwns: 'id' }
    : Paths[Path] extends { readonly shape?: { readonly item: infer Fields } }
      ? [Exclude<ParametersOf<Path>, keyof Fields>] extends [never]
        ? unknown
        : FaultOfParents<Path, keyof Fields, keyof Paths>
      : unknown
  : { readonly pathDoesNotStartWithASlash: Path }

// A parameter that is no field of the item is one of the parent that it leads to.
type FaultOfParents<
  Path,
  Fields,
  Paths,
  Above extends string = '',
> = Path extends `${infer Noun}/:${infer Name}/${infer Rest}`
  ? (Name extends Fields
      ? unknown
      : Rest extends `${infer Parent}/${string}`
        ? `${Above}${Noun}/:${Name}/${Parent}` extends Paths
          ? unknown
          : {
              readonly itemsLackTheField: Name
              readonly orDeclareThePathOfTheirParent: `${Above}${Noun}/:${Name}/${Parent}`
            }
        : { readonly itemsLackTheField: Name }) &
      FaultOfParents<Rest, Fields, Paths, `${Above}${Noun}/:${Name}/`>
  : unknown
