import { describeStores, postgres, variants } from './stores.ts'

describeStores([
  ...variants('postgres', postgres),
  { name: 'PostgreSQL', engine: 'postgres', types: postgres },
])
