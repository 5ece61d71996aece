import { setTimeout as pause } from 'node:timers/promises'

/**
 * Collects garbage while nothing is under way, as happens to servers sooner or later. V8 then forgets what the objects of
 * `process.nextTick` looked like, and from then on makes them in a slow way, unless one of them is kept.
 */
export async function rest() {
  for (let turn = 0; turn < 2; turn++) {
    await pause(10)
    globalThis.gc()
  }
}
