import type { Node } from './walk.ts'

/** The parts that the operations of a document share, except schemas. */
export interface Components {
  readonly parameters: SharedParts
  readonly responses: SharedParts
  readonly headers: SharedParts
}

/** Parts of one section of `components`. */
export interface SharedParts {
  /** By name, in order of creation. */
  readonly shared: Readonly<Record<string, Node>>
  /** Returns a reference to a named part, and makes the part at its first use. */
  refer(name: string, make: () => Node): Node
}

/** Makes empty components. */
export function createComponents(): Components {
  return {
    parameters: createSharedParts('parameters'),
    responses: createSharedParts('responses'),
    headers: createSharedParts('headers'),
  }
}

function createSharedParts(section: keyof Components): SharedParts {
  const shared: Record<string, Node> = {}
  return {
    shared,
    refer(name, make) {
      if (!Object.hasOwn(shared, name)) shared[name] = make()
      return { $ref: `#/components/${section}/${name}` }
    },
  }
}
