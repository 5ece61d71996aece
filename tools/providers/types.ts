// Compiles where each data provider fits the interface that its framework publishes, and where the
// options of queries fit TanStack Query.
import type { DataProvider as RefineProvider } from '@refinedev/core'
import { infiniteQueryOptions, mutationOptions, queryOptions } from '@tanstack/react-query'
import type { DataProvider as ReactAdminProvider } from 'ra-core'
import type { CollectionQueries } from '../../src/query.ts'
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

/** Options of TanStack Query. Never called: it only has to compile. */
export function optionsOf({ list, pages, patch }: CollectionQueries): unknown[] {
  return [queryOptions(list()), infiniteQueryOptions(pages()), mutationOptions(patch)]
}
