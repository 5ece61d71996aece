/** The server's own values, the same in every run: ids that count up, and times a second apart. */
export function createMakers() {
  let ids = 0
  let seconds = 0
  return {
    nextId: () => `n${String(++ids).padStart(3, '0')}`,
    onCreate: () => ({ created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, ++seconds)).toISOString() }),
  }
}
