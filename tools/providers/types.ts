// Compiles where each data provider fits the interface that its framework publishes.
import type { DataProvider as RefineProvider } from '@refinedev/core'
import type { DataProvider as ReactAdminProvider } from 'ra-core'
import type { ReactAdminDataProvider } from '../../src/react-admin.ts'
import type { RefineDataProvider } from '../../src/refine.ts'

type Fits<Provider extends Interface, Interface> = Provider

/** Every method of the frameworks, the optional ones too. */
export type Providers = [
  Fits<ReactAdminDataProvider, ReactAdminProvider>,
  Fits<RefineDataProvider, Required<RefineProvider>>,
]

// @ts-expect-error: without the frameworks' types, everything would fit.
export type Misfit = Fits<RefineDataProvider, ReactAdminProvider>
