import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** The files that take longest: a worker that began one last would end long after the others. */
const long = [
  'test/kysely/conformance/',
  'test/trial/check/violations/',
  'test/docs/docs.test.ts',
  'test/trial/isolation/leaks.test.ts',
  'test/family/',
  'test/adversity/processes/',
]

/** Starts the files that take longest first. Vitest would go by size where it has no times yet. */
export class LongFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const rank = ({ moduleId }: TestSpecification): number => {
      const place = long.findIndex((path) => moduleId.includes(`/${path}`))
      return place < 0 ? long.length : place
    }
    return sorted.sort((one, other) => rank(one) - rank(other))
  }
}
