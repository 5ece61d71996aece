import type { Node } from './walk.ts'

/** The parts of a document that operations share, besides schemas. */
export interface Components {
  readonly parameters: Shelf
  readonly responses: Shelf
  readonly headers: Shelf
}

/** Parts of one sort. */
export interface Shelf {
  /** By name, in the order in which they came. */
  readonly shared: Readonly<Record<string, Node>>
  /** A reference to the part of a name, which is made when it is first referred to. */
  share(name: string, make: () => Node): Node
}

/** Makes shelves without anything on them. */
export function createComponents(): Components {
  return {
    parameters: createShelf('parameters'),
    responses: createShelf('responses'),
    headers: createShelf('headers'),
  }
}

function createShelf(sort: keyof Components): Shelf {
  const shared: Record<string, Node> = {}
  return {
    shared,
    share(name, make) {
      if (!Object.hasOwn(shared, name)) shared[name] = make()
      return { $ref: `#/components/${sort}/${name}` }
    },
  }
}
