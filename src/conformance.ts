export { type Check, checksFor, type Make } from './conformance/checks.ts'
export {
  type NewSpecimen,
  type Specimen,
  type SpecimenAdapter,
  type SpecimenShape,
  specimens,
} from './conformance/specimens.ts'
