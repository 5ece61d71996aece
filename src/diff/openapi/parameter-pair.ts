import type { Witness, WitnessExchange } from '../change.ts'
import type { ApiParameter } from './api-document.ts'
import type { DocumentFinding } from './finding.ts'
import type { OperationPair } from './operation-pair.ts'
import { sampleRequest } from './request-sample.ts'
import { shortSampleOf } from './sample.ts'
import { rootOf } from './schema-book.ts'

/** A parameter, or a header of a response, that both documents have. */
export interface ParameterPair {
  readonly old: ApiParameter
  readonly new: ApiParameter
}

/** Makes a request with a parameter, and with a value of it: any, unless one is given. */
export function requestWith(
  pair: OperationPair,
  of: ApiParameter,
  given?: Witness,
): WitnessExchange | undefined {
  const source = { document: 'old', use: 'request' } as const
  const sample = given ?? shortSampleOf(rootOf(pair.schemas.read(of.schema, source)), parted)
  return sample && sampleRequest(pair.old, pair.schemas, { parameter: { of, value: sample.value } })
}

/** Returns a witness as a part of a finding; an empty part for none. */
export function witnessOf(witness: WitnessExchange | undefined): Pick<DocumentFinding, 'witness'> {
  return witness === undefined ? {} : { witness }
}

// Two elements show how a list is written.
const parted = { not: { enum: ['', '.', '..'] }, minItems: 2, minProperties: 1 }
