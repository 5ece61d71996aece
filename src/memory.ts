export { type MemoryOptions, memoryAdapter } from './memory/adapter.ts'
export { select } from './memory/select.ts'
