import { describeStores, postgres } from './stores.ts'

describeStores([{ name: 'PostgreSQL', engine: 'postgres', types: postgres }])
