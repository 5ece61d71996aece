import { describeViolations } from './injected.ts'
import { referrals } from './references.ts'
import { writes } from './writes.ts'

describeViolations([...writes, ...referrals], true)
