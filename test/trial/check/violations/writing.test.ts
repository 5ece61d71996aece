import { describeViolations } from './injected.ts'
import { referrals } from './references.ts'
import { stateWrites } from './states.ts'
import { writes } from './writes.ts'

describeViolations([...writes, ...referrals, ...stateWrites], true)
