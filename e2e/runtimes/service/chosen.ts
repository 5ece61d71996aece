/** The service on what `STORAGE` says: `memory` or `node:sqlite`. */
export const { registry } = await (process.env.STORAGE === 'node:sqlite'
  ? import('./sqlite.ts')
  : import('./memory.ts'))
