export { type Check, checksFor, type Make } from './trial/conformance/checks.ts'
export {
  type CallerHeaders,
  type IsolationCheck,
  type IsolationOptions,
  isolationOf,
} from './trial/conformance/isolation.ts'
export {
  type NewSpecimen,
  type Specimen,
  type SpecimenAdapter,
  type SpecimenShape,
  specimens,
} from './trial/conformance/specimens.ts'
