import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ClientOptions } from 'nounful/client'
import { toFetchHandler } from 'nounful/fetch'
import { exampleRegistry } from '../support/companies.ts'
import { startService, untilStatus } from '../support/service.ts'

/** The stores of the example that the data providers are tried with. */
export const stores = ['memory', 'SQLite'] as const

/** The example service, for a client. */
export interface ReachableExample {
  readonly options: ClientOptions
  close(): Promise<void>
}

/** Starts the example: in this process, or as a process of its own with a file of SQLite. */
export async function startExample(store: (typeof stores)[number]): Promise<ReachableExample> {
  if (store === 'memory') {
    const fetch = toFetchHandler(await exampleRegistry())
    const options = { baseUrl: 'http://companies.example', fetch }
    return { options, close: async () => undefined }
  }
  const folder = mkdtempSync(join(tmpdir(), 'nounful-provider-'))
  const service = await startService(join(folder, 'companies.sqlite'))
  await untilStatus(() => service.ask('GET', '/v1/companies'), 200)
  const close = async () => {
    await service.kill()
    rmSync(folder, { recursive: true })
  }
  return { options: { baseUrl: service.url }, close }
}

/** Lists the ids of records in one line. */
export function idsOf(data: readonly { readonly id?: unknown }[]): string {
  return data.map(({ id }) => id).join(' ')
}
