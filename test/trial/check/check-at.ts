import { openConnection, type Transport } from '../../../src/trial/check/connection.ts'
import { findCollections } from '../../../src/trial/check/find.ts'
import { type CheckOutcome, runRules } from '../../../src/trial/check/run.ts'

const writing = { samples: {}, isEmptied: false }

/** Checks the service at a url, over HTTP or another transport, and counts the requests. */
export async function checkAt(
  url: string,
  options: { readonly named?: readonly string[]; readonly isWriting: boolean },
  transport?: Transport,
): Promise<CheckOutcome & { readonly requests: number }> {
  const limits = { timeout: 5000, requests: 10_000 }
  const connection = openConnection({ origin: url, headers: {}, ...limits }, transport)
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
