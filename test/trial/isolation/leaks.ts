import type { Leak } from './leak.ts'
import { adapterLeaks } from './leaks-adapters.ts'
import { moreReadLeaks, readLeaks } from './leaks-reads.ts'
import { relatedLeaks } from './leaks-related.ts'
import { sequenceLeaks } from './leaks-sequences.ts'
import { writeLeaks } from './leaks-writes.ts'

/** The leaks injected on purpose. */
export const leaks: readonly Leak[] = [
  ...readLeaks,
  ...moreReadLeaks,
  ...writeLeaks,
  ...sequenceLeaks,
  ...adapterLeaks,
  ...relatedLeaks,
]
