import { cases } from './cases.ts'
import { start } from './child.ts'
import type { Effort } from './effort.ts'

const milliseconds = 4000

/** Runs contenders in the pipeline, and writes a profile of each into a folder. */
export async function profile(effort: Effort, folder: string): Promise<void> {
  const flags = [...effort.flags, '--cpu-prof', `--cpu-prof-dir=${folder}`]
  for (const { name, file } of effort.contenders) {
    if (file === 'bare') continue
    const child = start({ ...effort, flags, file: 'inside/pipeline.mjs', about: [file] })
    for (const request of cases) {
      if (!effort.cases.includes(request.name)) continue
      const rough = await child.ask<number>('batch', { request, times: 5000 })
      const times = Math.ceil((milliseconds * 1e6) / rough)
      const time = await child.ask<number>('batch', { request, times })
      console.log(`${name}, ${request.name}: ${Math.round(time)} ns, profiled`)
    }
    await child.end()
  }
}
