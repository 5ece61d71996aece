import { type RuleGroup, type RuleRow, rowsOf } from './rule.ts'

// The reasons why some rules have no mirror.
const fieldRemoved = { none: 'The reverse is `request-field-removed`.' }
const newSide = { none: 'It judges the new side alone.' }

/** All rules of the gate, by subject. */
// biome-ignore format: a row stays a line
export const ruleGroups: readonly RuleGroup[] = [
  {
    title: 'Versions',
    rows: [
      ...rowsOf({ direction: 'none', see: 'lifecycle' }, [
        ['version-removed', 'breaking', 'The server answers 404 to every path of the version. After its sunset, and for a draft, that is fine.', 'version-added', 'fine', 'No client of another version sees it.'],
        ['version-retired', 'breaking', 'The server answers 404 `retired_version` to every path of the version. After its sunset that is fine.', 'version-restored', 'fine', 'A retired version works again.'],
        ['version-deprecated', 'fine', 'The version works as before, and announces its end.', 'version-undeprecated', 'fine', 'The version stays.'],
        ['path-deprecated', 'fine', 'The path works as before, and announces its end.', 'path-undeprecated', 'fine', 'The path stays.'],
        ['sunset-set', 'fine', 'Clients learn the date of the end.', 'sunset-dropped', 'fine', 'The end has no date any more.'],
        ['sunset-moved-earlier', 'breaking', 'Clients trusted the date that the server promised.', 'sunset-moved-later', 'fine', 'Clients get more time.'],
        ['successor-removed', 'depends', 'Clients no longer learn which version comes next.', 'successor-set', 'fine', 'Clients learn which version comes next.'],
        ['deprecation-link-removed', 'depends', 'Clients no longer find the page about the end.', 'deprecation-link-set', 'fine', 'Clients find a page about the end.'],
        ['released-to-draft', 'breaking', 'A draft may change at will, and clients use the version.', 'draft-released', 'fine', 'The version is a promise from now on.'],
        ['deprecation-moved', 'fine', 'The version works as before.'],
        ['successor-changed', 'depends', 'Clients that follow the link get to another version.'],
        ['deprecation-link-changed', 'fine', 'Clients find another page about the end.'],
        ['draft-changed', 'fine', 'A draft may change at will.'],
        ['sunset-missing', 'depends', 'Clients learn that the version ends, and not when.', newSide],
        ['sunset-too-soon', 'breaking', 'Clients have fewer days than `--grace` demands.', { none: 'It depends on today.' }],
        ['sunset-before-deprecation', 'breaking', 'RFC 9745 §4 forbids a sunset before the deprecation.', newSide],
      ]),
      ...rowsOf({ direction: 'request', see: 'service' }, [
        ['default-version-changed', 'breaking', 'Requests without a version move.'],
        ['default-version-off', 'breaking', 'The server answers 404 to a path without a version.', 'default-version-on', 'fine', 'A path without a version works.'],
      ]),
    ],
  },
  {
    title: 'The service',
    rows: [
      ...rowsOf({ direction: 'request', see: 'service' }, [
        ['limit-lowered', 'breaking', 'The server answers 400 to a request that was small enough. No request reaches `nesting`, so a change of it is fine.', 'limit-raised', 'fine', 'The server takes larger requests.'],
        ['time-lowered', 'depends', 'A slow request may end in 503.', 'time-raised', 'fine', 'A request may take longer.'],
        ['arrival-lowered', 'depends', 'A body that arrives slowly may end in 400.', 'arrival-raised', 'fine', 'A body may arrive more slowly.'],
        ['guard-added', 'breaking', 'The server may answer 401 or 403 where it let everybody in.', 'guard-removed', 'fine', 'The server lets everybody in.'],
        ['challenge-changed', 'breaking', 'Clients authenticate in another way.'],
      ]),
      ...rowsOf({ direction: 'answer', see: 'service' }, [
        ['problem-code-added', 'depends', 'Clients may know a closed set of codes.', 'problem-code-removed', 'fine', 'The server sends fewer codes.'],
        ['problem-status-changed', 'breaking', 'Clients decide by the status.'],
        ['problem-type-base-changed', 'depends', 'Clients may compare `type`, which is a URL.'],
        ['error-limit-changed', 'fine', 'Problems name more or fewer issues.'],
      ]),
      ...rowsOf({ direction: 'none', see: 'limits' }, [
        ['convention-changed', 'depends', 'Another release of nounful made the snapshot: run `nounful check`.'],
        ['source-changed', 'depends', 'One side is a registry and one an API alone, so options cannot be compared.'],
      ]),
    ],
  },
  {
    title: 'Paths and operations',
    rows: [
      ...rowsOf({ direction: 'request', see: 'view' }, [
        ['path-removed', 'breaking', 'The server answers 404. A path that moved is removed and added.', 'path-added', 'fine', 'No client knows it yet.'],
        ['operation-removed', 'breaking', 'The server answers 405, or 400 to a DELETE with a filter.', 'operation-added', 'fine', 'No client uses it yet.'],
        ['related-filter-removed', 'breaking', 'The server answers 400 `unknown_parameter` to a filter by a field of a related item.', 'related-filter-added', 'fine', 'Clients can filter by a field of a related item.'],
        ['related-order-removed', 'breaking', 'The server answers 400 to a `sort` by a field of a related item.', 'related-order-added', 'fine', 'Clients can sort by a field of a related item.'],
        ['include-removed', 'breaking', 'The server answers 400 to an `include` that was fine.', 'include-added', 'fine', 'No client asks for it yet.'],
      ]),
      ...rowsOf({ direction: 'request', see: 'rule' }, [
        [
          'item-rule-added', 'breaking',
          'The server answers 403 to a write of an item that the rule refuses.',
          'item-rule-removed', 'fine', 'Clients can write more items.',
        ],
      ]),
      ...rowsOf({ direction: 'both', see: 'view' }, [
        ['owner-renamed', 'breaking', 'The parameter of the path is a field of the items. A parameter that is none has a name in documents only.'],
        ['owners-changed', 'depends', 'Another set of parameters is part of the items.'],
      ]),
      ...rowsOf({ direction: 'none', see: 'view' }, [
        ['resource-renamed', 'depends', 'No request shows the name. Generated clients may.'],
        ['stored-removed', 'fine', 'No version showed the resource.', 'stored-added', 'fine', 'No version shows the resource.'],
        ['unseen-changed', 'fine', 'No request and no response shows the change.'],
      ]),
    ],
  },
  {
    title: 'Options of a resource',
    rows: [
      ...rowsOf({ direction: 'request', see: 'options' }, [
        ['sortable-removed', 'breaking', 'The server answers 400 `sort_unknown_field`.', 'sortable-added', 'fine', 'Clients can sort by it.'],
        ['search-off', 'breaking', 'The server answers 400 `unknown_parameter` to `q`.', 'search-on', 'fine', 'Clients can search.'],
        ['filterable-removed', 'breaking', 'The server answers 400 `unknown_parameter`.', 'filterable-added', 'fine', 'Clients can filter by it.'],
        ['countable-removed', 'breaking', 'The server answers 400 to `by` with the field.', 'countable-added', 'fine', 'Clients can count by it.'],
        ['filter-removed', 'breaking', 'The server answers 400 `unknown_parameter` to a comparison that was fine: those of order need `sortable`, those of parts `searchable`.', 'filter-added', 'fine', 'Clients can compare the field in more ways.'],
        ['filter-values-narrowed', 'breaking', 'The server answers 400 `bad_parameter` to a value that was fine: the field has other values.', 'filter-values-widened', 'fine', 'Clients can filter by more values.'],
        ['max-limit-lowered', 'breaking', 'The server answers 400 to a `limit` that was fine.', 'max-limit-raised', 'fine', 'Clients can ask for longer pages.'],
        ['bounded-set', 'breaking', 'The server answers 409 to a DELETE of the collection without `Prefer: max-affected`.', 'bounded-dropped', 'fine', 'A DELETE of the collection needs no bound.'],
        ['reference-set', 'breaking', 'The server answers 422 `reference_not_found` to an id of no item. A new field is fine.', 'reference-dropped', 'fine', 'Clients can name items that do not exist.'],
        ['ownership-set', 'breaking', 'The server answers 404 for the items of another owner, and lists leave them out.', 'ownership-dropped', 'depends', 'Each caller reaches the items of all owners.'],
        ['states-set', 'breaking', 'The server answers 422 to a new item in another than the first state, and 409 to a move that the contract lacks.', 'states-dropped', 'fine', 'Clients may send any state at any time.'],
        ['state-move-removed', 'breaking', 'The server answers 409 to a move that was fine.', 'state-move-added', 'fine', 'Clients may move an item to one more state.'],
        ['initial-state-changed', 'breaking', 'The server answers 422 to a new item in the old first state, and gives another one to a body without a state.'],
        ['idempotent-dropped', 'breaking', 'The server answers 400 to `Idempotency-Key`.', 'idempotent-set', 'fine', 'Clients can repeat a POST safely.'],
        ['put-creates-dropped', 'breaking', 'The server answers 404 to a PUT of an item that does not exist.', 'put-creates-set', 'fine', 'Clients can create an item by PUT.'],
        ['client-id-refused', 'breaking', 'The server no longer takes the id that a client chooses.', 'client-id-taken', 'fine', 'Clients can choose ids.'],
      ]),
      ...rowsOf({ direction: 'request', see: 'keep' }, [
        [
          'keep-removed', 'breaking', 'A PUT that leaves the field out erases it again.',
          'keep-added', 'fine', 'A PUT that leaves the field out keeps it.',
        ],
      ]),
      ...rowsOf({ direction: 'request', see: 'view' }, [
        [
          'request-read-only-set', 'breaking',
          'The server answers 422 `read_only` to a change of the field.',
          'request-read-only-dropped', 'fine', 'Clients can change the field.',
        ],
      ]),
      ...rowsOf({ direction: 'answer', see: 'options' }, [
        ['folded-removed', 'depends', 'Lists come in another order, and ranges give other items.', 'folded-added', 'depends', 'Lists come in another order, and ranges give other items.'],
        ['searchable-removed', 'depends', 'The same `q` finds fewer items.', 'searchable-added', 'depends', 'The same `q` finds more items.'],
        ['default-limit-set', 'breaking', 'A whole list became a page: a client that does not follow `next` loses items.', 'default-limit-dropped', 'depends', 'A page became the whole list.'],
        ['default-limit-lowered', 'depends', 'Pages are shorter.', 'default-limit-raised', 'depends', 'Pages are longer.'],
        ['total-dropped', 'breaking', 'Lists lack the `X-Total-Count` that clients could rely on.', 'total-added', 'fine', 'Lists tell their total.'],
        ['restricted-added', 'breaking', 'Callers whom `.reveal()` does not name lose the field.', 'restricted-removed', 'fine', 'All callers see the field.'],
      ]),
      ...rowsOf({ direction: 'both', see: 'view' }, [
        ['id-type-changed', 'breaking', 'Ids in bodies and paths have another type.'],
        ['revision-field-changed', 'depends', 'Tags that clients hold fail once.'],
        ['id-narrowed', 'breaking', 'The server answers 404 to an id that was fine.', 'id-widened', 'depends', 'Clients may read ids.'],
        ['revision-field-dropped', 'breaking', 'The server answers 409 to `If-Match`, always.', 'revision-field-set', 'fine', 'Items have tags.'],
      ]),
    ],
  },
  {
    title: 'Bodies of requests',
    rows: [
      ...rowsOf({ direction: 'request', see: 'view' }, [
        ['request-field-removed', 'breaking', 'A strict schema refuses the field, another one drops it: the value is lost.', 'request-field-added', 'fine', 'Clients may leave the field out.'],
        ['request-field-became-required', 'breaking', 'The server answers 422 to a body without the field.', 'request-field-became-optional', 'fine', 'Clients may leave the field out.'],
        ['request-became-not-nullable', 'breaking', 'The server answers 422 to `null`.', 'request-became-nullable', 'fine', 'Clients may send `null`.'],
        ['request-type-narrowed', 'breaking', 'The server answers 422 to values of a type that was fine.', 'request-type-widened', 'fine', 'Clients may send values of more types.'],
        ['request-enum-removed', 'breaking', 'The server answers 422 to the value.', 'request-enum-added', 'fine', 'Clients may send the value.'],
        ['request-became-enum', 'breaking', 'The server answers 422 to all other values.', 'request-enum-opened', 'fine', 'Clients may send any value.'],
        ['request-const-set', 'breaking', 'The server takes one value only.', 'request-const-dropped', 'fine', 'Clients may send other values.'],
        ['request-min-length-raised', 'breaking', 'The server answers 422 to a shorter text.', 'request-min-length-lowered', 'fine', 'Clients may send a shorter text.'],
        ['request-max-length-lowered', 'breaking', 'The server answers 422 to a longer text.', 'request-max-length-raised', 'fine', 'Clients may send a longer text.'],
        ['request-minimum-raised', 'breaking', 'The server answers 422 to a smaller number.', 'request-minimum-lowered', 'fine', 'Clients may send a smaller number.'],
        ['request-maximum-lowered', 'breaking', 'The server answers 422 to a larger number.', 'request-maximum-raised', 'fine', 'Clients may send a larger number.'],
        ['request-min-items-raised', 'breaking', 'The server answers 422 to a shorter list.', 'request-min-items-lowered', 'fine', 'Clients may send a shorter list.'],
        ['request-max-items-lowered', 'breaking', 'The server answers 422 to a longer list.', 'request-max-items-raised', 'fine', 'Clients may send a longer list.'],
        ['request-unique-items-set', 'breaking', 'The server answers 422 to a list with equal values.', 'request-unique-items-dropped', 'fine', 'Clients may repeat a value.'],
        ['request-min-properties-raised', 'breaking', 'The server answers 422 to an object of fewer members.', 'request-min-properties-lowered', 'fine', 'Clients may send fewer members.'],
        ['request-max-properties-lowered', 'breaking', 'The server answers 422 to an object of more members.', 'request-max-properties-raised', 'fine', 'Clients may send more members.'],
        ['request-property-names-set', 'breaking', 'The server answers 422 to other names.', 'request-property-names-dropped', 'fine', 'Clients may use any names.'],
        ['request-format-set', 'breaking', 'Validators hold formats: the server answers 422 to another text.', 'request-format-dropped', 'fine', 'Clients may send any text.'],
        ['request-pattern-set', 'breaking', 'The server answers 422 to a text that does not match.', 'request-pattern-dropped', 'fine', 'Clients may send any text.'],
        ['request-alternative-removed', 'breaking', 'The server answers 422 to values of this form.', 'request-alternative-added', 'fine', 'Clients may send values of one more form.'],
        ['request-unknown-fields-refused', 'breaking', 'The server answers 422 to a field that it dropped before.', 'request-unknown-fields-taken', 'fine', 'Clients may send more fields.'],
        ['request-default-removed', 'depends', 'The same body makes another item.', 'request-default-added', 'depends', 'The same body makes another item.'],
        ['request-narrowed', 'breaking', 'The server answers 422 to a value that was fine.', 'request-widened', 'fine', 'Clients may send more values.'],
        ['request-field-renamed', 'breaking', 'Clients send the old name, which the server refuses or drops.'],
        ['request-default-changed', 'depends', 'The same body makes another item.'],
        ['request-type-changed', 'breaking', 'The server answers 422 to values of the old type.'],
        ['request-const-changed', 'breaking', 'The server answers 422 to the old value.'],
        ['request-multiple-of-changed', 'breaking', 'The server answers 422 to some numbers. It is fine where the new step divides the old one.'],
        ['request-format-changed', 'breaking', 'The server answers 422 to texts of the old format.'],
        ['request-pattern-changed', 'depends', 'Patterns are compared as sets where that is possible.'],
        ['request-changed', 'depends', 'The schemas differ, and neither holds the other.'],
        ['request-field-required-added', 'breaking', 'The server answers 422 to a body without the field.', fieldRemoved],
        ['request-field-default-added', 'fine', 'The default fills the field.', fieldRemoved],
      ]),
      ...rowsOf({ direction: 'request', see: 'keep' }, [
        ['update-field-added', 'breaking', 'A PUT that lacks the field erases it.', fieldRemoved],
      ]),
    ],
  },
  {
    title: 'Items in responses',
    rows: [
      ...rowsOf({ direction: 'answer', see: 'view' }, [
        ['item-field-removed', 'breaking', 'Clients read the field.', 'item-field-added', 'fine', 'Clients ignore fields that they do not know.'],
        ['item-field-became-optional', 'breaking', 'Clients read a field that may be missing.', 'item-field-became-required', 'fine', 'The field is always there.'],
        ['item-became-nullable', 'breaking', 'Clients do not expect `null`.', 'item-became-not-nullable', 'fine', 'The value is always there.'],
        ['item-type-widened', 'breaking', 'Clients get values of a type that they do not expect.', 'item-type-narrowed', 'fine', 'Clients get values of fewer types.'],
        ['item-enum-added', 'breaking', 'The contract named all values, and clients decide by them. An open enum is fine.', 'item-enum-removed', 'fine', 'Clients get fewer values.'],
        ['item-enum-opened', 'breaking', 'The contract named all values, and clients decide by them.', 'item-became-enum', 'fine', 'Clients get fewer values.'],
        ['item-const-dropped', 'breaking', 'The contract named the only value.', 'item-const-set', 'fine', 'Clients get one value only.'],
        ['item-alternative-added', 'breaking', 'Clients get values of a form that they do not expect.', 'item-alternative-removed', 'fine', 'Clients get values of fewer forms.'],
        ['item-bound-loosened', 'depends', 'A column of a client may be as wide as the old bound.', 'item-bound-tightened', 'fine', 'Clients get fewer values.'],
        ['item-format-dropped', 'breaking', 'Clients parse the old format.', 'item-format-set', 'fine', 'Clients get fewer values.'],
        ['item-pattern-dropped', 'depends', 'Clients may parse the text.', 'item-pattern-set', 'fine', 'Clients get fewer values.'],
        ['item-unknown-fields-given', 'depends', 'The server no longer removes fields that the schema does not name.', 'item-unknown-fields-removed', 'fine', 'The server removes fields that the schema does not name.'],
        ['item-widened', 'breaking', 'Clients get a value that the old contract excluded.', 'item-narrowed', 'fine', 'Clients get fewer values.'],
        ['item-default-removed', 'fine', 'Responses carry the value itself.', 'item-default-added', 'fine', 'Responses carry the value itself.'],
        ['item-field-renamed', 'breaking', 'Clients read the old name.'],
        ['item-type-changed', 'breaking', 'Clients get values of another type.'],
        ['item-const-changed', 'breaking', 'Clients get another value.'],
        ['item-default-changed', 'fine', 'Responses carry the value itself.'],
        ['item-format-changed', 'breaking', 'Clients parse the old format.'],
        ['item-pattern-changed', 'depends', 'Patterns are compared as sets where that is possible.'],
        ['item-changed', 'depends', 'The schemas differ, and neither holds the other.'],
      ]),
      ...rowsOf({ direction: 'both', see: 'view' }, [
        ['field-deprecated', 'fine', 'Within a version it frees nobody: the field stays.', 'field-undeprecated', 'fine', 'The field stays.'],
        ['field-deprecated-removed', 'breaking', 'Clients of this version may still use the field.', { none: 'The reverse is a field that was added.' }],
      ]),
      ...rowsOf({ direction: 'both', see: 'limits' }, [
        ['schema-untold', 'depends', 'A schema tells no JSON Schema, so nothing can be compared.'],
        ['schema-rewritten', 'fine', 'The schema takes the same values, in other words.'],
      ]),
    ],
  },
  {
    title: 'Views',
    rows: [
      ...rowsOf({ direction: 'request', see: 'forms' }, [
        ['view-narrows', 'breaking', 'The view takes a value that its source resource refuses.', newSide],
        ['view-order-lost', 'breaking', 'No client can sort by the field of the source.', newSide],
        ['view-search-lost', 'breaking', 'No client can search in the field of the source.', newSide],
        ['view-count-lost', 'breaking', 'No client can count by the field of the source.', newSide],
      ]),
      ...rowsOf({ direction: 'answer', see: 'forms' }, [
        ['view-widens', 'breaking', 'The source holds a value that the view excludes.', newSide],
      ]),
      ...rowsOf({ direction: 'both', see: 'limits' }, [
        ['view-untold', 'depends', 'Schemas cannot judge a function or split.', newSide],
      ]),
      ...rowsOf({ direction: 'both', see: 'forms' }, [
        ['view-link-changed', 'depends', 'The field has another source, and so another meaning.'],
        ['view-of-changed', 'depends', 'The view shows another resource.'],
        ['view-initial-changed', 'depends', 'New items get another value in a field that clients do not see.'],
        ['view-hides-more', 'fine', 'The view says what new items get in one more field.', 'view-hides-less', 'fine', 'The view says what new items get in one field less.'],
        ['view-reopens', 'fine', 'The view offers an operation that its source resource does not.', 'view-reopens-less', 'fine', 'The view offers an operation only if its source resource does.'],
        ['view-made', 'fine', 'The resource became a view: clients see no difference.', 'view-unmade', 'fine', 'The view became a resource: clients see no difference.'],
      ]),
    ],
  },
  {
    title: 'OpenAPI documents',
    rows: [
      ...rowsOf({ direction: 'request', see: 'document' }, [
        ['parameter-removed', 'breaking', 'A strict server refuses the parameter, another one ignores it: its effect is lost.', 'parameter-added', 'fine', 'Clients may leave the parameter out.'],
        ['parameter-became-required', 'breaking', 'The server refuses a request without the parameter.', 'parameter-became-optional', 'fine', 'Clients may leave the parameter out.'],
        ['parameter-empty-refused', 'breaking', 'The server refuses the parameter without a value.', 'parameter-empty-taken', 'fine', 'Clients may send the parameter without a value.'],
        ['parameter-reserved-refused', 'depends', 'Clients may send reserved characters unescaped, which many servers read all the same.', 'parameter-reserved-taken', 'fine', 'Escaped characters mean the same.'],
        ['body-removed', 'breaking', 'The server refuses the body or ignores it: its values are lost.', 'body-added', 'fine', 'Clients may leave the body out.'],
        ['body-became-required', 'breaking', 'The server refuses a request without a body.', 'body-became-optional', 'fine', 'Clients may leave the body out.'],
        ['media-type-removed', 'breaking', 'The server answers 415 to a body of that type.', 'media-type-added', 'fine', 'Clients may send more types.'],
        ['security-added', 'breaking', 'The server answers 401 to clients without the new credentials.', 'security-removed', 'fine', 'The server needs fewer credentials.'],
        ['security-alternative-removed', 'breaking', 'The server answers 401 to clients that have these credentials only.', 'security-alternative-added', 'fine', 'Clients may use other credentials.'],
        ['security-scope-added', 'breaking', 'The server answers 403 to a token without the scope.', 'security-scope-removed', 'fine', 'A token needs fewer scopes.'],
        ['server-removed', 'depends', 'The document names the address no more. It cannot tell whether a server still answers there.', 'server-added', 'fine', 'Clients may go on with the old address.'],
        ['parameter-required-added', 'breaking', 'The server refuses a request without the parameter.', { none: 'The reverse is `parameter-removed`.' }],
        ['body-required-added', 'breaking', 'The server refuses a request without a body.', { none: 'The reverse is `body-removed`.' }],
        ['parameter-style-changed', 'breaking', 'The server reads the text of the parameter in another way.'],
        ['parameter-default-changed', 'depends', 'A request without the parameter gets another answer.'],
        ['body-encoding-changed', 'depends', 'The server reads the parts of the form in another way.'],
        ['security-scheme-changed', 'depends', 'Clients get their token elsewhere, and a client may hold the old address.'],
      ]),
      ...rowsOf({ direction: 'answer', see: 'document' }, [
        ['response-removed', 'breaking', 'No success that clients know is left.', 'response-added', 'depends', 'A client may know the old statuses only. RFC 9110 §15 lets it treat the status as the first of its class.'],
        ['error-status-removed', 'fine', 'Clients get fewer statuses.', 'error-status-added', 'fine', 'A client treats an error that it does not know as the first of its class (RFC 9110 §15).'],
        ['response-body-removed', 'breaking', 'Clients read the body.', 'response-body-added', 'fine', 'Clients ignore a body that they do not know.'],
        ['response-media-type-removed', 'breaking', 'Clients read a body of that type.', 'response-media-type-added', 'fine', 'A client names the type that it reads in `Accept`.'],
        ['response-header-removed', 'breaking', 'Clients read the header.', 'response-header-added', 'fine', 'Clients ignore headers that they do not know.'],
        ['response-header-became-optional', 'breaking', 'Clients read a header that may be missing.', 'response-header-became-required', 'fine', 'The header is always there.'],
        ['webhook-removed', 'breaking', 'The server calls clients no more.', 'webhook-added', 'fine', 'Clients ask for a call before they get one.'],
      ]),
      ...rowsOf({ direction: 'both', see: 'document' }, [
        ['operation-deprecated', 'fine', 'The operation stays until its `x-sunset`.', 'operation-undeprecated', 'fine', 'The operation stays.'],
        ['parameter-deprecated', 'fine', 'The parameter stays until its `x-sunset`.', 'parameter-undeprecated', 'fine', 'The parameter stays.'],
        ['discriminator-changed', 'depends', 'Another field names the form of a value: clients that read it choose another form.'],
        ['operation-id-changed', 'depends', 'Requests are the same. Generated clients name a function by it.'],
      ]),
    ],
  },
]

const byId: ReadonlyMap<string, RuleRow> = new Map(
  ruleGroups.flatMap(({ rows }) => rows).map((row) => [row.id, row]),
)

/** Returns the row of a rule; `undefined` for an unknown one. */
export function ruleOf(id: string): RuleRow | undefined {
  return byId.get(id)
}
