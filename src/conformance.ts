export { type Check, checksFor, type Make } from './conformance/checks.ts'
export {
  type CallerHeaders,
  type IsolationCheck,
  type IsolationOptions,
  isolationOf,
} from './conformance/isolation.ts'
export {
  type NewSpecimen,
  type Specimen,
  type SpecimenAdapter,
  type SpecimenShape,
  specimens,
} from './conformance/specimens.ts'
