import { describeStores, sqlite } from './stores.ts'

describeStores([{ name: 'SQLite', engine: 'sqlite', types: sqlite }])
