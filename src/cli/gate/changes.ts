import { escapeLines } from '../../convention/escape.ts'
import { guideOf } from '../../diff/guide/guide.ts'
import { UsageError } from '../../trial/check/usage-error.ts'
import { type CommandIo, writeOutput } from '../io.ts'
import { readModule } from './sides.ts'

/** A module, and two of its versions. */
export interface GuideFlags {
  readonly module: string
  readonly from: string
  readonly to: string
}

/** Writes the guide for clients that go from one version to another. */
export async function writeGuide(
  { module, from, to }: GuideFlags,
  { out }: { readonly out?: string },
  io: CommandIo,
): Promise<void> {
  const { snapshot } = await readModule(module, io.version)
  const versions = Object.keys(snapshot.versions)
  const unknown = [from, to].find((version) => !versions.includes(version))
  if (unknown !== undefined)
    throw new UsageError(`There is no version "${unknown}". Known: ${versions.join(', ')}.`)
  if (from === to) throw new UsageError(`Both versions are "${from}": name two.`)
  const guide = escapeLines(guideOf(snapshot, from, to))
  if (out === undefined) return io.print(guide)
  writeOutput(out, `${guide}\n`)
  io.warn(`Written to ${out}.`)
}
