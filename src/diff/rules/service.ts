import { mutual, type RuleGroup, symmetric } from './rule.ts'

const onRequest = { direction: 'request', see: 'service' } as const
const answered = { direction: 'answer', see: 'service' } as const
const unseen = { direction: 'none', see: 'limits' } as const

/** The rules of the whole service: limits, guards and problems. */
// biome-ignore format: a row stays a line
export const serviceGroup: RuleGroup = {
  title: 'The service',
  rows: [
    ...mutual(onRequest, [
      [
        ['limit-lowered', 'breaking', 'The server answers 400 to a request that was small enough. No request reaches `nesting`, so a change of it is fine.'],
        ['limit-raised', 'fine', 'The server takes larger requests.'],
      ],
      [
        ['time-lowered', 'depends', 'A slow request may end in 503.'],
        ['time-raised', 'fine', 'A request may take longer.'],
      ],
      [
        ['arrival-lowered', 'depends', 'A body that arrives slowly may end in 400.'],
        ['arrival-raised', 'fine', 'A body may arrive more slowly.'],
      ],
      [
        ['guard-added', 'breaking', 'The server may answer 401 or 403 where it let everybody in.'],
        ['guard-removed', 'fine', 'The server lets everybody in.'],
      ],
    ]),
    ...symmetric(onRequest, [
      ['challenge-changed', 'breaking', 'Clients authenticate in another way.'],
    ]),
    ...mutual(answered, [
      [
        ['problem-code-added', 'depends', 'Clients may know a closed set of codes.'],
        ['problem-code-removed', 'fine', 'The server sends fewer codes.'],
      ],
    ]),
    ...symmetric(answered, [
      ['problem-status-changed', 'breaking', 'Clients decide by the status.'],
      ['problem-type-base-changed', 'depends', 'Clients may compare `type`, which is a URL.'],
      ['error-limit-changed', 'fine', 'Problems name more or fewer issues.'],
    ]),
    ...symmetric(unseen, [
      ['convention-changed', 'depends', 'Another release of nounful made the snapshot: run `nounful check`.'],
      ['source-changed', 'depends', 'One side is a registry and one an API alone, so options cannot be compared.'],
    ]),
  ],
}
