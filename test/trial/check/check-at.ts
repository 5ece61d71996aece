import { openConnection } from '../../../src/trial/check/connection.ts'
import { findCollections } from '../../../src/trial/check/find.ts'
import { type CheckOutcome, runRules } from '../../../src/trial/check/run.ts'

const writing = { samples: {}, isEmptied: false }

/** Checks the service at a url, and counts the requests. */
export async function checkAt(
  url: string,
  options: { readonly named?: readonly string[]; readonly isWriting: boolean },
): Promise<CheckOutcome & { readonly requests: number }> {
  const connection = openConnection({ origin: url, headers: {}, timeout: 5000, requests: 10_000 })
  try {
    const names = await findCollections(connection.send, '/', options.named ?? [])
    const outcome = await runRules(connection, names, options.isWriting ? writing : undefined)
    return { ...outcome, requests: connection.log.length }
  } finally {
    connection.close()
  }
}

/** The rules that a service breaks. */
export function brokenIn({ verdicts }: CheckOutcome): readonly string[] {
  return verdicts.flatMap(({ id, verdict }) => (verdict === 'broken' ? [id] : []))
}
