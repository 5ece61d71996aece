import { lone, mutual, type RuleGroup, symmetric } from '../rules/rule.ts'

const onRequest = { direction: 'request', see: 'document' } as const
const answered = { direction: 'answer', see: 'document' } as const
const named = { direction: 'both', see: 'document' } as const

/** The rules of OpenAPI documents, beside those of schemas, paths and operations. */
// biome-ignore format: a row stays a line
export const documentGroup: RuleGroup = {
  title: 'OpenAPI documents',
  rows: [
    ...mutual(onRequest, [
      [
        ['parameter-removed', 'breaking', 'A strict server refuses the parameter, another one ignores it: its effect is lost.'],
        ['parameter-added', 'fine', 'Clients may leave the parameter out.'],
      ],
      [
        ['parameter-became-required', 'breaking', 'The server refuses a request without the parameter.'],
        ['parameter-became-optional', 'fine', 'Clients may leave the parameter out.'],
      ],
      [
        ['parameter-empty-refused', 'breaking', 'The server refuses the parameter without a value.'],
        ['parameter-empty-taken', 'fine', 'Clients may send the parameter without a value.'],
      ],
      [
        ['parameter-reserved-refused', 'depends', 'Clients may send reserved characters unescaped, which many servers read all the same.'],
        ['parameter-reserved-taken', 'fine', 'Escaped characters mean the same.'],
      ],
      [
        ['body-removed', 'breaking', 'The server refuses the body or ignores it: its values are lost.'],
        ['body-added', 'fine', 'Clients may leave the body out.'],
      ],
      [
        ['body-became-required', 'breaking', 'The server refuses a request without a body.'],
        ['body-became-optional', 'fine', 'Clients may leave the body out.'],
      ],
      [
        ['media-type-removed', 'breaking', 'The server answers 415 to a body of that type.'],
        ['media-type-added', 'fine', 'Clients may send more types.'],
      ],
      [
        ['security-added', 'breaking', 'The server answers 401 to clients without the new credentials.'],
        ['security-removed', 'fine', 'The server needs fewer credentials.'],
      ],
      [
        ['security-alternative-removed', 'breaking', 'The server answers 401 to clients that have these credentials only.'],
        ['security-alternative-added', 'fine', 'Clients may use other credentials.'],
      ],
      [
        ['security-scope-added', 'breaking', 'The server answers 403 to a token without the scope.'],
        ['security-scope-removed', 'fine', 'A token needs fewer scopes.'],
      ],
      [
        ['server-removed', 'depends', 'The document names the address no more. It cannot tell whether a server still answers there.'],
        ['server-added', 'fine', 'Clients may go on with the old address.'],
      ],
    ]),
    ...lone(onRequest, [
      ['parameter-required-added', 'breaking', 'The server refuses a request without the parameter.', 'The reverse is `parameter-removed`.'],
      ['body-required-added', 'breaking', 'The server refuses a request without a body.', 'The reverse is `body-removed`.'],
    ]),
    ...symmetric(onRequest, [
      ['parameter-style-changed', 'breaking', 'The server reads the text of the parameter in another way.'],
      ['parameter-default-changed', 'depends', 'A request without the parameter gets another answer.'],
      ['body-encoding-changed', 'depends', 'The server reads the parts of the form in another way.'],
      ['security-scheme-changed', 'depends', 'Clients get their token elsewhere, and a client may hold the old address.'],
    ]),
    ...mutual(answered, [
      [
        ['response-removed', 'breaking', 'No success that clients know is left.'],
        ['response-added', 'depends', 'A client may know the old statuses only. RFC 9110 §15 lets it treat the status as the first of its class.'],
      ],
      [
        ['error-status-removed', 'fine', 'Clients get fewer statuses.'],
        ['error-status-added', 'fine', 'A client treats an error that it does not know as the first of its class (RFC 9110 §15).'],
      ],
      [
        ['response-body-removed', 'breaking', 'Clients read the body.'],
        ['response-body-added', 'fine', 'Clients ignore a body that they do not know.'],
      ],
      [
        ['response-media-type-removed', 'breaking', 'Clients read a body of that type.'],
        ['response-media-type-added', 'fine', 'A client names the type that it reads in `Accept`.'],
      ],
      [
        ['response-header-removed', 'breaking', 'Clients read the header.'],
        ['response-header-added', 'fine', 'Clients ignore headers that they do not know.'],
      ],
      [
        ['response-header-became-optional', 'breaking', 'Clients read a header that may be missing.'],
        ['response-header-became-required', 'fine', 'The header is always there.'],
      ],
      [
        ['webhook-removed', 'breaking', 'The server calls clients no more.'],
        ['webhook-added', 'fine', 'Clients ask for a call before they get one.'],
      ],
    ]),
    ...mutual(named, [
      [
        ['operation-deprecated', 'fine', 'The operation stays until its `x-sunset`.'],
        ['operation-undeprecated', 'fine', 'The operation stays.'],
      ],
      [
        ['parameter-deprecated', 'fine', 'The parameter stays until its `x-sunset`.'],
        ['parameter-undeprecated', 'fine', 'The parameter stays.'],
      ],
    ]),
    ...symmetric(named, [
      ['discriminator-changed', 'depends', 'Another field names the form of a value: clients that read it choose another form.'],
      ['operation-id-changed', 'depends', 'Requests are the same. Generated clients name a function by it.'],
    ]),
  ],
}
