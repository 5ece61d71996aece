import { testContracts } from './contracts.ts'

testContracts(0)
