import { asks } from './asks.ts'
import { describeViolations } from './injected.ts'
import { nested } from './nested.ts'
import { reads } from './reads.ts'
import { inclusions } from './references.ts'
import { relations } from './related.ts'
import { targets } from './targets.ts'

// Files of a minute rather than one of three, so that workers can share them.
describeViolations([...reads, ...asks, ...targets, ...inclusions, ...relations, ...nested], false)
