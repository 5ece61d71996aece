import { lone, mutual, type RuleGroup, symmetric } from './rule.ts'

const side = { direction: 'request', see: 'view' } as const
const removed = 'The reverse is `request-field-removed`.'

/** The rules of bodies: the fields, types and bounds that clients may send. */
// biome-ignore format: a row stays a line
export const requestGroup: RuleGroup = {
  title: 'Bodies of requests',
  rows: [
    ...mutual(side, [
      [
        ['request-field-removed', 'breaking', 'A strict schema refuses the field, another one drops it: the value is lost.'],
        ['request-field-added', 'fine', 'Clients may leave the field out.'],
      ],
      [
        ['request-field-became-required', 'breaking', 'The server answers 422 to a body without the field.'],
        ['request-field-became-optional', 'fine', 'Clients may leave the field out.'],
      ],
      [
        ['request-became-not-nullable', 'breaking', 'The server answers 422 to `null`.'],
        ['request-became-nullable', 'fine', 'Clients may send `null`.'],
      ],
      [
        ['request-type-narrowed', 'breaking', 'The server answers 422 to values of a type that was fine.'],
        ['request-type-widened', 'fine', 'Clients may send values of more types.'],
      ],
      [
        ['request-enum-removed', 'breaking', 'The server answers 422 to the value.'],
        ['request-enum-added', 'fine', 'Clients may send the value.'],
      ],
      [
        ['request-became-enum', 'breaking', 'The server answers 422 to all other values.'],
        ['request-enum-opened', 'fine', 'Clients may send any value.'],
      ],
      [
        ['request-const-set', 'breaking', 'The server takes one value only.'],
        ['request-const-dropped', 'fine', 'Clients may send other values.'],
      ],
      [
        ['request-min-length-raised', 'breaking', 'The server answers 422 to a shorter text.'],
        ['request-min-length-lowered', 'fine', 'Clients may send a shorter text.'],
      ],
      [
        ['request-max-length-lowered', 'breaking', 'The server answers 422 to a longer text.'],
        ['request-max-length-raised', 'fine', 'Clients may send a longer text.'],
      ],
      [
        ['request-minimum-raised', 'breaking', 'The server answers 422 to a smaller number.'],
        ['request-minimum-lowered', 'fine', 'Clients may send a smaller number.'],
      ],
      [
        ['request-maximum-lowered', 'breaking', 'The server answers 422 to a larger number.'],
        ['request-maximum-raised', 'fine', 'Clients may send a larger number.'],
      ],
      [
        ['request-min-items-raised', 'breaking', 'The server answers 422 to a shorter list.'],
        ['request-min-items-lowered', 'fine', 'Clients may send a shorter list.'],
      ],
      [
        ['request-max-items-lowered', 'breaking', 'The server answers 422 to a longer list.'],
        ['request-max-items-raised', 'fine', 'Clients may send a longer list.'],
      ],
      [
        ['request-unique-items-set', 'breaking', 'The server answers 422 to a list with equal values.'],
        ['request-unique-items-dropped', 'fine', 'Clients may repeat a value.'],
      ],
      [
        ['request-min-properties-raised', 'breaking', 'The server answers 422 to an object of fewer members.'],
        ['request-min-properties-lowered', 'fine', 'Clients may send fewer members.'],
      ],
      [
        ['request-max-properties-lowered', 'breaking', 'The server answers 422 to an object of more members.'],
        ['request-max-properties-raised', 'fine', 'Clients may send more members.'],
      ],
      [
        ['request-property-names-set', 'breaking', 'The server answers 422 to other names.'],
        ['request-property-names-dropped', 'fine', 'Clients may use any names.'],
      ],
      [
        ['request-format-set', 'breaking', 'Validators hold formats: the server answers 422 to another text.'],
        ['request-format-dropped', 'fine', 'Clients may send any text.'],
      ],
      [
        ['request-pattern-set', 'breaking', 'The server answers 422 to a text that does not match.'],
        ['request-pattern-dropped', 'fine', 'Clients may send any text.'],
      ],
      [
        ['request-alternative-removed', 'breaking', 'The server answers 422 to values of this form.'],
        ['request-alternative-added', 'fine', 'Clients may send values of one more form.'],
      ],
      [
        ['request-unknown-fields-refused', 'breaking', 'The server answers 422 to a field that it dropped before.'],
        ['request-unknown-fields-taken', 'fine', 'Clients may send more fields.'],
      ],
      [
        ['request-default-removed', 'depends', 'The same body makes another item.'],
        ['request-default-added', 'depends', 'The same body makes another item.'],
      ],
      [
        ['request-narrowed', 'breaking', 'The server answers 422 to a value that was fine.'],
        ['request-widened', 'fine', 'Clients may send more values.'],
      ],
    ]),
    ...symmetric(side, [
      ['request-field-renamed', 'breaking', 'Clients send the old name, which the server refuses or drops.'],
      ['request-default-changed', 'depends', 'The same body makes another item.'],
      ['request-type-changed', 'breaking', 'The server answers 422 to values of the old type.'],
      ['request-const-changed', 'breaking', 'The server answers 422 to the old value.'],
      ['request-multiple-of-changed', 'breaking', 'The server answers 422 to some numbers. It is fine where the new step divides the old one.'],
      ['request-format-changed', 'breaking', 'The server answers 422 to texts of the old format.'],
      ['request-pattern-changed', 'depends', 'Patterns are compared as sets where that is possible.'],
      ['request-changed', 'depends', 'The schemas differ, and neither holds the other.'],
    ]),
    ...lone(side, [
      ['request-field-required-added', 'breaking', 'The server answers 422 to a body without the field.', removed],
      ['request-field-default-added', 'fine', 'The default fills the field.', removed],
    ]),
    ...lone({ direction: 'request', see: 'keep' }, [
      ['update-field-added', 'breaking', 'A PUT that lacks the field erases it.', removed],
    ]),
  ],
}
