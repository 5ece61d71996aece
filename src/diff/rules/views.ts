import { lone, mutual, type RuleGroup, symmetric } from './rule.ts'

const onRequest = { direction: 'request', see: 'forms' } as const
const answered = { direction: 'answer', see: 'forms' } as const
const meant = { direction: 'both', see: 'forms' } as const
const judged = 'It judges the new side alone.'

/** The rules of views. */
// biome-ignore format: a row stays a line
export const viewGroup: RuleGroup = {
  title: 'Views',
  rows: [
    ...lone(onRequest, [
      ['view-narrows', 'breaking', 'The view takes a value that its source resource refuses.', judged],
      ['view-order-lost', 'breaking', 'No client can sort by the field of the source.', judged],
      ['view-search-lost', 'breaking', 'No client can search in the field of the source.', judged],
    ]),
    ...lone(answered, [
      ['view-widens', 'breaking', 'The source holds a value that the view excludes.', judged],
    ]),
    ...lone({ direction: 'both', see: 'limits' }, [
      ['view-untold', 'depends', 'Schemas cannot judge a function or split.', judged],
    ]),
    ...symmetric(meant, [
      ['view-link-changed', 'depends', 'The field has another source, and so another meaning.'],
      ['view-of-changed', 'depends', 'The view shows another resource.'],
      ['view-initial-changed', 'depends', 'New items get another value in a field that clients do not see.'],
    ]),
    ...mutual(meant, [
      [
        ['view-hides-more', 'fine', 'The view says what new items get in one more field.'],
        ['view-hides-less', 'fine', 'The view says what new items get in one field less.'],
      ],
      [
        ['view-reopens', 'fine', 'The view offers an operation that its source resource does not.'],
        ['view-reopens-less', 'fine', 'The view offers an operation only if its source resource does.'],
      ],
      [
        ['view-made', 'fine', 'The resource became a view: clients see no difference.'],
        ['view-unmade', 'fine', 'The view became a resource: clients see no difference.'],
      ],
    ]),
  ],
}
