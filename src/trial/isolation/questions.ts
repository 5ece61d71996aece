import type { ProvenCollection } from './catalog.ts'
import { bulkQuestions, foreignItemQuestions, parentQuestions } from './foreign-questions.ts'
import type { Question, QuestionFacts } from './question.ts'
import { readQuestions } from './read-questions.ts'
import { pathOfCollection } from './tree.ts'
import { writeQuestions } from './write-questions.ts'

/**
 * Makes all questions about a collection. The number and the order depend on the declaration only,
 * so that each has its counterpart in the other world. Writes need items that can be deleted.
 */
export function questionsAbout(
  collection: ProvenCollection,
  facts: QuestionFacts,
  { isDisposable }: { readonly isDisposable: boolean },
): readonly Question[] {
  const parents = facts.own.parentsOf(collection)
  if (parents === undefined) return []
  const asked = { collection, path: pathOfCollection(collection, parents) }
  const reads = readQuestions(asked, facts)
  if (collection.isShared) return reads
  return [
    ...reads,
    ...foreignItemQuestions(asked, facts),
    ...parentQuestions(collection, facts),
    ...(isDisposable ? bulkQuestions(asked, facts) : []),
    ...(isDisposable ? writeQuestions(asked, facts) : []),
  ]
}
