import { describeViolations } from './injected.ts'
import { patches } from './patches.ts'
import { previews } from './previews.ts'
import { repeats } from './repeats.ts'

describeViolations([...patches, ...previews, ...repeats], true)
