import { lone, mutual, type RuleGroup, symmetric } from './rule.ts'

const side = { direction: 'answer', see: 'view' } as const
const everywhere = { direction: 'both', see: 'view' } as const

/** The rules of items: the fields and values that clients get. */
// biome-ignore format: a row stays a line
export const itemGroup: RuleGroup = {
  title: 'Items in responses',
  rows: [
    ...mutual(side, [
      [
        ['item-field-removed', 'breaking', 'Clients read the field.'],
        ['item-field-added', 'fine', 'Clients ignore fields that they do not know.'],
      ],
      [
        ['item-field-became-optional', 'breaking', 'Clients read a field that may be missing.'],
        ['item-field-became-required', 'fine', 'The field is always there.'],
      ],
      [
        ['item-became-nullable', 'breaking', 'Clients do not expect `null`.'],
        ['item-became-not-nullable', 'fine', 'The value is always there.'],
      ],
      [
        ['item-type-widened', 'breaking', 'Clients get values of a type that they do not expect.'],
        ['item-type-narrowed', 'fine', 'Clients get values of fewer types.'],
      ],
      [
        ['item-enum-added', 'breaking', 'The contract named all values, and clients decide by them. An open enum is fine.'],
        ['item-enum-removed', 'fine', 'Clients get fewer values.'],
      ],
      [
        ['item-enum-opened', 'breaking', 'The contract named all values, and clients decide by them.'],
        ['item-became-enum', 'fine', 'Clients get fewer values.'],
      ],
      [
        ['item-const-dropped', 'breaking', 'The contract named the only value.'],
        ['item-const-set', 'fine', 'Clients get one value only.'],
      ],
      [
        ['item-alternative-added', 'breaking', 'Clients get values of a form that they do not expect.'],
        ['item-alternative-removed', 'fine', 'Clients get values of fewer forms.'],
      ],
      [
        ['item-bound-loosened', 'depends', 'A column of a client may be as wide as the old bound.'],
        ['item-bound-tightened', 'fine', 'Clients get fewer values.'],
      ],
      [
        ['item-format-dropped', 'breaking', 'Clients parse the old format.'],
        ['item-format-set', 'fine', 'Clients get fewer values.'],
      ],
      [
        ['item-pattern-dropped', 'depends', 'Clients may parse the text.'],
        ['item-pattern-set', 'fine', 'Clients get fewer values.'],
      ],
      [
        ['item-unknown-fields-given', 'depends', 'The server no longer removes fields that the schema does not name.'],
        ['item-unknown-fields-removed', 'fine', 'The server removes fields that the schema does not name.'],
      ],
      [
        ['item-widened', 'breaking', 'Clients get a value that the old contract excluded.'],
        ['item-narrowed', 'fine', 'Clients get fewer values.'],
      ],
      [
        ['item-default-removed', 'fine', 'Responses carry the value itself.'],
        ['item-default-added', 'fine', 'Responses carry the value itself.'],
      ],
    ]),
    ...symmetric(side, [
      ['item-field-renamed', 'breaking', 'Clients read the old name.'],
      ['item-type-changed', 'breaking', 'Clients get values of another type.'],
      ['item-const-changed', 'breaking', 'Clients get another value.'],
      ['item-default-changed', 'fine', 'Responses carry the value itself.'],
      ['item-format-changed', 'breaking', 'Clients parse the old format.'],
      ['item-pattern-changed', 'depends', 'Patterns are compared as sets where that is possible.'],
      ['item-changed', 'depends', 'The schemas differ, and neither holds the other.'],
    ]),
    ...mutual(everywhere, [
      [
        ['field-deprecated', 'fine', 'Within a version it frees nobody: the field stays.'],
        ['field-undeprecated', 'fine', 'The field stays.'],
      ],
    ]),
    ...lone(everywhere, [
      [
        'field-deprecated-removed',
        'breaking',
        'Clients of this version may still use the field.',
        'The reverse is a field that was added.',
      ],
    ]),
    ...symmetric({ direction: 'both', see: 'limits' }, [
      ['schema-untold', 'depends', 'A schema tells no JSON Schema, so nothing can be compared.'],
      ['schema-rewritten', 'fine', 'The schema takes the same values, in other words.'],
    ]),
  ],
}
