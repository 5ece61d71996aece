import { patches } from './patches.ts'
import { describeViolations } from './planted.ts'
import { previews } from './previews.ts'
import { repeats } from './repeats.ts'

describeViolations([...patches, ...previews, ...repeats], true)
