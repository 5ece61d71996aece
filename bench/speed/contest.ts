import { setTimeout as pause } from 'node:timers/promises'
import { type Answerer, compareAnswers, parseAnswer } from './agree.ts'
import { cases as allCases, type Case } from './cases.ts'
import { type Child, start } from './child.ts'
import type { Contender } from './contenders.ts'
import type { Effort } from './effort.ts'
import { type Found, type Measured, Runs } from './rounds.ts'

/** The contenders, and the file of `inside/` that asks them. */
export interface Contest {
  readonly file: string
  readonly contenders: readonly Contender[]
  /** The cases that are measured once more after servers have rested. Default: none. */
  readonly rested?: readonly string[]
}

/** Seconds without a request. V8 collects garbage by itself in about eight. */
export const restSeconds = 12

/**
 * Measures contenders, each in a process of its own that is fresh in every run; one of them works
 * at a time. Quantities: `cpu`, and `rested` for the cases that are measured after a rest.
 */
export async function contest(
  { file, contenders, rested = [] }: Contest,
  effort: Effort,
): Promise<Runs> {
  const runs = new Runs()
  for (let run = 0; run < effort.runs; run++) {
    const rivals: Rival[] = []
    try {
      for (const contender of contenders) rivals.push(await Rival.start(file, contender, effort))
      await compareAnswers(rivals)
      for (const rival of rivals) await rival.warmUp(effort)
      const rounds = runs.begin()
      await rounds.run(rivals, effort.cases, effort.slices)
      if (rested.length === 0) continue
      await pause(restSeconds * 1000)
      await rounds.run(rivals.map(asRested), rested, effort.slices)
    } finally {
      await Promise.all(rivals.map((rival) => rival.end()))
    }
  }
  return runs
}

function asRested(rival: Rival): Measured {
  const measure = async (name: string): Promise<Found> => ({ rested: await rival.time(name) })
  return { name: rival.name, measure }
}

// Seen to be enough for times to stay as they are; slow contenders get fewer requests.
const warmUp = { turns: 15, times: 1500, milliseconds: 40 }
const fewest = 5

class Rival implements Measured, Answerer {
  readonly name: string
  readonly #child: Child
  readonly #times = new Map<string, number>()

  static async start(file: string, contender: Contender, effort: Effort): Promise<Rival> {
    const { name, file: about } = contender
    const child = start({ ...effort, file: `inside/${file}.mjs`, about: [about] })
    await child.ask('ready')
    return new Rival(name, child)
  }

  constructor(name: string, child: Child) {
    this.name = name
    this.#child = child
  }

  async ask(asked: Case): Promise<ReturnType<typeof parseAnswer>> {
    return parseAnswer(await this.#child.ask('ask', asked))
  }

  // All cases in turn, as a server gets them, so that V8 compiles nothing for one of them alone.
  async warmUp({ batch, cases }: Effort): Promise<void> {
    for (let turn = 0; turn < warmUp.turns; turn++) {
      for (const name of cases) {
        const most = (this.#times.get(name) ?? fewest) * (warmUp.milliseconds / batch)
        const time = await this.#batch(name, Math.min(warmUp.times, most))
        this.#times.set(name, (batch * 1e6) / time)
      }
    }
  }

  async measure(name: string): Promise<Found> {
    return { cpu: await this.time(name) }
  }

  /** Nanoseconds of CPU a request. */
  time(name: string): Promise<number> {
    return this.#batch(name, this.#times.get(name) ?? fewest)
  }

  end(): Promise<void> {
    return this.#child.end()
  }

  #batch(name: string, times: number): Promise<number> {
    const request = allCases.find((one) => one.name === name)
    return this.#child.ask('batch', { request, times: Math.ceil(Math.max(fewest, times)) })
  }
}
