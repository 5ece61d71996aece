import { checksFor } from 'nounful/conformance'
import { memoryAdapter } from 'nounful/memory'

export const names: readonly string[] = checksFor(memoryAdapter()).map(({ name }) => name)
