import type { UncheckedAdapter } from '../model/binding.ts'
import type { ProblemCode } from '../model/convention.ts'
import type { Operation, Scope } from '../model/operation.ts'
import { isProblem } from '../model/problem.ts'
import { isStream, take } from '../model/stream.ts'
import { idsOf, isAbsent, isSame, show, showThrown, withoutVersions } from './compare.ts'
import { type Question, replacing, toOperation } from './question.ts'
import type { NewSpecimen, Specimen } from './specimens.ts'

/** What came of asking. */
type Attempt =
  | { readonly kind: 'gave'; readonly value: unknown }
  | { readonly kind: 'threw'; readonly error: unknown }

/** What whoever wrote the adapter needs to know of a failure. */
interface Disagreement {
  readonly asked: Question | string
  readonly came: string
  readonly expected: string
}

type Wanted = Omit<Question, 'kind'>

interface Asking {
  /** Carries an operation out, and gives what the adapter gave; a list that comes item by item is read to its end. */
  call(operation: Operation): Promise<unknown>
  /** Asks, and gives what the adapter gave or threw. */
  attempt(question: Question): Promise<Attempt>
  /** Asks, and gives what the adapter gave. */
  ask(question: Question): Promise<unknown>
  /** Makes sure of something; the disagreement is only made where it does not hold. */
  ensure(holds: boolean, disagreement: () => Disagreement): void
  /** The item that an answer is. */
  itemIn(answer: unknown, asked: Question): Specimen
}

interface Working {
  create(fields: NewSpecimen, scope?: Scope): Promise<Specimen>
  /** Creates items one after another, in an order unlike that in which they are given and answered. */
  createAll(fields: readonly NewSpecimen[], scope?: Scope): Promise<readonly Specimen[]>
  update(stored: Specimen, fields: NewSpecimen): Promise<Specimen>
  list(wanted: Wanted): Promise<readonly Specimen[]>
}

interface Denying {
  /** Asks, and expects to be told that there is no such item. */
  givesNone(question: Question): Promise<void>
  /** Asks to write many, and expects to be told that there is no such item at these places, and only there. */
  givesNoneAt(places: readonly number[], question: Question): Promise<void>
  /** Asks, and expects a problem. */
  refuses(question: Question, code: ProblemCode): Promise<void>
}

interface Expecting {
  /** Asks, and expects this; revisions may be any. */
  gives(question: Question, expected: unknown): Promise<void>
  /** Asks for items, and expects these, told by their ids, in this order. */
  lists(wanted: Wanted, items: readonly Specimen[]): Promise<void>
  /** Reads items, and expects them as they are. */
  holds(...items: readonly Specimen[]): Promise<void>
}

/** An adapter under test, with the ways to question it. Whatever disagrees throws an Error that says how. */
export interface Lab extends Asking, Working, Expecting, Denying {}

/** Sets an adapter up for one check. */
export function createLab(adapter: UncheckedAdapter, rule: string): Lab {
  const asking = createAsking(adapter, rule)
  const working = createWorking(asking)
  const expecting = createExpecting({ ...asking, ...working })
  return { ...asking, ...working, ...expecting, ...createDenying(asking) }
}

/** Tells whether an adapter refused with this problem. */
export function isRefusal(attempted: Attempt, code: ProblemCode): boolean {
  return attempted.kind === 'threw' && isProblem(attempted.error) && attempted.error.code === code
}

/** Writes what came of asking for a message. */
export function showAttempt(attempted: Attempt): string {
  return attempted.kind === 'gave' ? show(attempted.value) : showThrown(attempted.error)
}

function createAsking(adapter: UncheckedAdapter, rule: string): Asking {
  const call: Lab['call'] = async (operation) => {
    const given = await adapter[operation.kind]?.(operation, undefined)
    return isStream(given) ? take(given, Number.POSITIVE_INFINITY) : given
  }
  const attempt: Lab['attempt'] = async (question) => {
    try {
      return { kind: 'gave', value: await call(toOperation(question)) }
    } catch (error) {
      return { kind: 'threw', error }
    }
  }
  return {
    call,
    attempt,
    async ask(question) {
      const attempted = await attempt(question)
      if (attempted.kind === 'gave') return attempted.value
      const disagreement = { asked: question, came: showAttempt(attempted), expected: 'an answer' }
      throw failure(disagreement, rule, attempted.error)
    },
    ensure(holds, disagreement) {
      if (!holds) throw failure(disagreement(), rule)
    },
    itemIn(answer, asked) {
      if (isSpecimen(answer)) return answer
      throw failure({ asked, came: show(answer), expected: 'an item with a text as id' }, rule)
    },
  }
}

function createWorking({ ask, ensure, itemIn }: Asking): Working {
  const askItem = async (question: Question) => itemIn(await ask(question), question)
  const create: Lab['create'] = (item, scope = {}) => askItem({ kind: 'create', item, scope })
  return {
    create,
    async createAll(fields, scope) {
      const made = new Map<number, Specimen>()
      for (const [place, item] of shuffle([...fields.entries()])) {
        made.set(place, await create(item, scope))
      }
      return fields.flatMap((_, place) => made.get(place) ?? [])
    },
    update: (stored, fields) => askItem(replacing(stored, fields)),
    async list(wanted) {
      const question: Question = { ...wanted, kind: 'list' }
      const answer = await ask(question)
      const items: readonly unknown[] = Array.isArray(answer) ? answer : []
      ensure(Array.isArray(answer), () => ({
        asked: question,
        came: show(answer),
        expected: 'an array or an async iterable of items',
      }))
      return items.map((item) => itemIn(item, question))
    },
  }
}

function createExpecting({ ask, ensure, list }: Asking & Working): Expecting {
  const gives: Lab['gives'] = async (question, expected) => {
    const came = await ask(question)
    ensure(isSame(withoutVersions(came), withoutVersions(expected)), () => ({
      asked: question,
      came: show(came),
      expected: show(expected),
    }))
  }
  return {
    gives,
    async lists(wanted, items) {
      const came = await list(wanted)
      ensure(isSame(idsOf(came), idsOf(items)), () => ({
        asked: { ...wanted, kind: 'list' },
        came: show(came),
        expected: show(items),
      }))
    },
    async holds(...items) {
      for (const item of items) await gives({ kind: 'read', id: item.id }, item)
    },
  }
}

function createDenying({ ask, attempt, ensure }: Asking): Denying {
  return {
    async givesNone(question) {
      const came = await ask(question)
      ensure(isAbsent(came), () => ({ asked: question, came: show(came), expected: 'null' }))
    },
    async givesNoneAt(places, question) {
      const came = await ask(question)
      const length = question.items?.length ?? 0
      const isRight = (answer: unknown, place: number): boolean =>
        isAbsent(answer) === places.includes(place)
      ensure(Array.isArray(came) && came.length === length && came.every(isRight), () => ({
        asked: question,
        came: show(came),
        expected: `${length} answers, null at ${places.join(', ')} and items elsewhere`,
      }))
    },
    async refuses(question, code) {
      const attempted = await attempt(question)
      ensure(isRefusal(attempted, code), () => ({
        asked: question,
        came: showAttempt(attempted),
        expected: `the problem ${code}`,
      }))
    },
  }
}

function failure({ asked, came, expected }: Disagreement, rule: string, cause?: unknown): Error {
  const question = typeof asked === 'string' ? asked : showQuestion(asked)
  const text = `Asked: ${question}\nCame: ${came}\nExpected: ${expected}\nRule: ${rule}`
  return new Error(text, cause === undefined ? {} : { cause })
}

function showQuestion({ kind, signal, ...asked }: Question): string {
  return `${kind} ${show(asked)}`
}

function isSpecimen(value: unknown): value is Specimen {
  return (
    typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string'
  )
}

// Neither the order of the values nor its reverse, so that the order of creation is not taken for it.
function shuffle<Value>(values: readonly Value[]): readonly Value[] {
  const odd = values.filter((_, place) => place % 2 === 1)
  return [...odd.reverse(), ...values.filter((_, place) => place % 2 === 0)]
}
