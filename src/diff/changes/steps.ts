import { noValue, setOf, type ValueSet } from '../sets/value-set.ts'

/** One step into a value: to a member, to any element, to an element, to any other member. */
export type ValueStep =
  | { readonly to: 'member'; readonly name: string }
  | { readonly to: 'element'; readonly index: number }
  | { readonly to: 'elements' }
  | { readonly to: 'members' }

/** Writes steps as a JSON Pointer: `/tags/-/name`; `/*` for any other member. */
export function textOf(steps: readonly ValueStep[]): string {
  return steps.map((step) => `/${segmentOf(step)}`).join('')
}

function segmentOf(step: ValueStep): string {
  switch (step.to) {
    case 'member':
      return step.name.replaceAll('~', '~0').replaceAll('/', '~1')
    case 'element':
      return String(step.index)
    case 'elements':
      return '-'
    case 'members':
      return '*'
  }
}

/** Returns the set of values that have a value of a set at a place. */
export function withinSteps([step, ...steps]: readonly ValueStep[], set: ValueSet): ValueSet {
  if (step === undefined) return set
  const inner = withinSteps(steps, set)
  switch (step.to) {
    case 'member':
      return setOf(
        { kind: 'types', types: ['object'] },
        { kind: 'member', name: step.name, set: inner },
      )
    case 'element':
      return setOf(
        { kind: 'types', types: ['array'] },
        { kind: 'someElement', from: step.index, to: step.index, set: inner },
      )
    case 'elements':
      return setOf(
        { kind: 'types', types: ['array'] },
        { kind: 'someElement', from: 0, to: Infinity, set: inner },
      )
    case 'members':
      return setOf(
        { kind: 'types', types: ['object'] },
        {
          kind: 'someMember',
          names: { properties: new Map(), patterns: [], rest: noValue },
          set: inner,
        },
      )
  }
}
