import type { Scalar } from '../../../../src/contract/resource/operation.ts'
import { type BrokenRow, broken } from '../broken.ts'

type Held = (field: string, value: Scalar) => unknown

const holding = (holds: Held) => () => ({
  ...broken((operation, next) => next(operation)),
  holdsValue: holds as (field: string, value: Scalar) => boolean,
})

const caught = ['holdsValue holds every listed value']

/** Adapters with defects in what they say of the values of their fields. */
export const heldRows: readonly BrokenRow[] = [
  ['holds no missing value', holding((_, value) => value !== null), caught],
  ['holds ASCII only', holding((_, value) => /^[ -~]*$/.test(`${value}`)), caught],
  [
    'holds whole numbers only',
    holding((_, value) => Number.isInteger(value) || typeof value !== 'number'),
    caught,
  ],
  ['holds no id', holding((field) => field !== 'id'), caught],
  ['holds short texts only', holding((_, value) => `${value}`.length < 99), caught],
  ['does not say what it holds', holding(() => undefined), caught],
]
