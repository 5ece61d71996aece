import { escapeControls } from '../convention/escape.ts'
import type { CheckOptions } from '../trial/check/command.ts'
import type { CommandIo } from './io.ts'

const interval = 100

/** Runs a check, and shows its progress in a line in place where the output is a terminal. */
export async function withProgress<Result>(
  { progress }: Pick<CommandIo, 'progress'>,
  run: (listener: Pick<CheckOptions, 'onProgress'>) => Promise<Result>,
): Promise<Result> {
  if (progress === undefined) return run({})
  let last = Number.NEGATIVE_INFINITY
  try {
    return await run({
      onProgress: ({ collection, index, count, requests }) => {
        const now = performance.now()
        if (now - last < interval) return
        last = now
        progress(escapeControls(`${index + 1}/${count} ${collection}, ${requests} requests`))
      },
    })
  } finally {
    progress('')
  }
}
