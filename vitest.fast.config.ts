import { isLarge } from './test/support/large.ts'
import everything, { groupsOf } from './vitest.config.ts'

/** The tests of `npm test`, in two to three minutes: all but those of `large.ts`. */
export default {
  ...everything,
  test: { ...everything.test, projects: groupsOf((file) => !isLarge(file)) },
}
