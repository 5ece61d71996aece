import { mutual, type RuleGroup, symmetric } from './rule.ts'

const onRequest = { direction: 'request', see: 'options' } as const
const answered = { direction: 'answer', see: 'options' } as const
const named = { direction: 'both', see: 'view' } as const

/** The rules of the options of a resource. */
// biome-ignore format: a row stays a line
export const resourceGroup: RuleGroup = {
  title: 'Options of a resource',
  rows: [
    ...mutual(onRequest, [
      [
        ['sortable-removed', 'breaking', 'The server answers 400 `sort_unknown_field`.'],
        ['sortable-added', 'fine', 'Clients can sort by it.'],
      ],
      [
        ['search-off', 'breaking', 'The server answers 400 `unknown_parameter` to `q`.'],
        ['search-on', 'fine', 'Clients can search.'],
      ],
      [
        ['filterable-removed', 'breaking', 'The server answers 400 `unknown_parameter`.'],
        ['filterable-added', 'fine', 'Clients can filter by it.'],
      ],
      [
        ['filter-removed', 'breaking', 'The server answers 400 `unknown_parameter` to a comparison that was fine: those of order need `sortable`, those of parts `searchable`.'],
        ['filter-added', 'fine', 'Clients can compare the field in more ways.'],
      ],
      [
        ['filter-values-narrowed', 'breaking', 'The server answers 400 `bad_parameter` to a value that was fine: the field has other values.'],
        ['filter-values-widened', 'fine', 'Clients can filter by more values.'],
      ],
      [
        ['max-limit-lowered', 'breaking', 'The server answers 400 to a `limit` that was fine.'],
        ['max-limit-raised', 'fine', 'Clients can ask for longer pages.'],
      ],
      [
        ['bounded-set', 'breaking', 'The server answers 409 to a DELETE of the collection without `Prefer: max-affected`.'],
        ['bounded-dropped', 'fine', 'A DELETE of the collection needs no bound.'],
      ],
      [
        ['reference-set', 'breaking', 'The server answers 422 `reference_not_found` to an id of no item. A new field is fine.'],
        ['reference-dropped', 'fine', 'Clients can name items that do not exist.'],
      ],
      [
        ['ownership-set', 'breaking', 'The server answers 404 for the items of another owner, and lists leave them out.'],
        ['ownership-dropped', 'depends', 'Each caller reaches the items of all owners.'],
      ],
      [
        ['idempotent-dropped', 'breaking', 'The server answers 400 to `Idempotency-Key`.'],
        ['idempotent-set', 'fine', 'Clients can repeat a POST safely.'],
      ],
      [
        ['client-id-refused', 'breaking', 'The server no longer takes the id that a client chooses.'],
        ['client-id-taken', 'fine', 'Clients can choose ids.'],
      ],
    ]),
    ...mutual({ direction: 'request', see: 'keep' }, [
      [
        ['keep-removed', 'breaking', 'A PUT that leaves the field out erases it again.'],
        ['keep-added', 'fine', 'A PUT that leaves the field out keeps it.'],
      ],
    ]),
    ...mutual({ direction: 'request', see: 'view' }, [
      [
        ['request-read-only-set', 'breaking', 'The server answers 422 `read_only` to a change of the field.'],
        ['request-read-only-dropped', 'fine', 'Clients can change the field.'],
      ],
    ]),
    ...mutual(answered, [
      [
        ['searchable-removed', 'depends', 'The same `q` finds fewer items.'],
        ['searchable-added', 'depends', 'The same `q` finds more items.'],
      ],
      [
        ['default-limit-set', 'breaking', 'A whole list became a page: a client that does not follow `next` loses items.'],
        ['default-limit-dropped', 'depends', 'A page became the whole list.'],
      ],
      [
        ['default-limit-lowered', 'depends', 'Pages are shorter.'],
        ['default-limit-raised', 'depends', 'Pages are longer.'],
      ],
      [
        ['total-dropped', 'breaking', 'Lists lack the `X-Total-Count` that clients could rely on.'],
        ['total-added', 'fine', 'Lists tell their total.'],
      ],
      [
        ['restricted-added', 'breaking', 'Callers whom `.reveal()` does not name lose the field.'],
        ['restricted-removed', 'fine', 'All callers see the field.'],
      ],
    ]),
    ...symmetric(named, [
      ['id-type-changed', 'breaking', 'Ids in bodies and paths have another type.'],
      ['revision-field-changed', 'depends', 'Tags that clients hold fail once.'],
    ]),
    ...mutual(named, [
      [
        ['id-narrowed', 'breaking', 'The server answers 404 to an id that was fine.'],
        ['id-widened', 'depends', 'Clients may read ids.'],
      ],
      [
        ['revision-field-dropped', 'breaking', 'The server answers 409 to `If-Match`, always.'],
        ['revision-field-set', 'fine', 'Items have tags.'],
      ],
    ]),
  ],
}
