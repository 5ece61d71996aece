import { isLarge } from './test/support/large.ts'
import everything, { groupsOf } from './vitest.config.ts'

/** The tests of `npm run test:large`: those of `large.ts`, each with its reason. */
export default {
  ...everything,
  test: { ...everything.test, projects: groupsOf(isLarge) },
}
