import type { AdapterFor } from 'nounful'
import type { api } from './contract.ts'

const counts = { made: 0, closed: 0, aborted: 0, waiting: 0 }
let isOpen = false

/** How many items a list has. */
const length = 150_000
/** After this many items a list waits until a client opens the gate. */
const gate = 5000
const filling = 'x'.repeat(160)

/**
 * Streamed lists, and their progress. `GET /ticks` is long, and `GET /ticks/state` reports on the
 * lists so far. `PUT /ticks/gate` lets them go on. `POST /ticks` waits until its client leaves or
 * the gate opens.
 */
export const ticks: AdapterFor<typeof api, 'ticks'> = {
  async *list({ signal }) {
    Object.assign(counts, { made: 0, closed: 0, aborted: 0 })
    signal?.addEventListener('abort', () => counts.aborted++)
    try {
      while (counts.made < length) {
        if (counts.made === gate) while (!isOpen) await pause(5)
        yield { id: String(++counts.made).padStart(8, '0'), text: filling }
      }
    } finally {
      counts.closed++
    }
  },
  read: ({ id }) => (id === 'state' ? { id, ...counts } : null),
  update({ id, item: { text } }) {
    isOpen = text === 'open'
    return { id, text }
  },
  async create({ signal }) {
    counts.aborted = 0
    counts.waiting++
    while (signal?.aborted !== true && !isOpen) await pause(5)
    counts.waiting--
    if (signal?.aborted) counts.aborted++
    return { id: 'waited' }
  },
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
