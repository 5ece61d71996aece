import { type Answerer, compareAnswers, parseAnswer } from './agree.ts'
import { cases as allCases, type Case } from './cases.ts'
import { type Child, start } from './child.ts'
import type { Contender } from './contenders.ts'
import type { Effort } from './effort.ts'
import { type Found, type Measured, Rounds } from './rounds.ts'

/** Those who take part, and the file of `inside/` that asks them. */
export interface Contest {
  readonly file: string
  readonly contenders: readonly Contender[]
}

/** Measures contenders, each asked from within a process of its own; one of them works at a time. */
export async function contest({ file, contenders }: Contest, effort: Effort): Promise<Rounds> {
  const rounds = new Rounds()
  for (let turn = 0; turn < effort.starts; turn++) {
    const rivals: Rival[] = []
    try {
      for (const contender of contenders) rivals.push(await Rival.start(file, contender, effort))
      const [first, ...others] = rivals
      if (first) await compareAnswers(first, others)
      if (!effort.isFresh) for (const rival of rivals) await rival.rest()
      for (const rival of rivals) await rival.warmUp(effort)
      await rounds.run(rivals, effort.cases, effort.rounds)
    } finally {
      await Promise.all(rivals.map((rival) => rival.end()))
    }
  }
  return rounds
}

// Seen to be enough for times to stay as they are; slow contenders are asked less often.
const warmUp = { turns: 15, times: 1500, milliseconds: 120 }
const fewest = 5

class Rival implements Measured, Answerer {
  readonly name: string
  readonly lacks: readonly string[]
  readonly #child: Child
  readonly #times = new Map<string, number>()

  static async start(file: string, contender: Contender, effort: Effort): Promise<Rival> {
    const child = start({ ...effort, file: `inside/${file}.mjs`, about: [contender.file] })
    return new Rival(contender.name, await child.ask('lacks'), child)
  }

  constructor(name: string, lacks: readonly string[], child: Child) {
    this.name = name
    this.lacks = lacks
    this.#child = child
  }

  async ask(asked: Case): Promise<ReturnType<typeof parseAnswer>> {
    return parseAnswer(await this.#child.ask('ask', asked))
  }

  rest(): Promise<void> {
    return this.#child.ask('rest')
  }

  // All cases in turn, as a server gets them, so that nothing is compiled for one of them alone.
  async warmUp({ batch, cases }: Effort): Promise<void> {
    for (let turn = 0; turn < warmUp.turns; turn++) {
      for (const asked of this.#able()) {
        if (!cases.includes(asked.name)) continue
        const most = this.#times.get(asked.name) ?? fewest
        const time = await this.#batch(
          asked,
          Math.min(warmUp.times, (most * warmUp.milliseconds) / batch),
        )
        this.#times.set(asked.name, (batch * 1e6) / time)
      }
    }
  }

  async measure(name: string): Promise<Found | undefined> {
    const asked = this.#able().find((one) => one.name === name)
    return asked && { cpu: await this.#batch(asked, this.#times.get(name) ?? fewest) }
  }

  end(): Promise<void> {
    return this.#child.end()
  }

  #able(): readonly Case[] {
    return allCases.filter(({ name }) => !this.lacks.includes(name))
  }

  #batch(request: Case, times: number): Promise<number> {
    return this.#child.ask('batch', { request, times: Math.ceil(Math.max(fewest, times)) })
  }
}
