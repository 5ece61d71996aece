import { describeViolations } from './planted.ts'
import { referrals } from './references.ts'
import { writes } from './writes.ts'

describeViolations([...writes, ...referrals], true)
