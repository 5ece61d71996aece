import { mutual, type RuleGroup, symmetric } from './rule.ts'

const onRequest = { direction: 'request', see: 'view' } as const
const named = { direction: 'both', see: 'view' } as const
const none = { direction: 'none', see: 'view' } as const

/** The rules of paths and operations. */
// biome-ignore format: a row stays a line
export const pathGroup: RuleGroup = {
  title: 'Paths and operations',
  rows: [
    ...mutual(onRequest, [
      [
        ['path-removed', 'breaking', 'The server answers 404. A path that moved is removed and added.'],
        ['path-added', 'fine', 'No client knows it yet.'],
      ],
      [
        ['operation-removed', 'breaking', 'The server answers 405.'],
        ['operation-added', 'fine', 'No client uses it yet.'],
      ],
      [
        ['include-removed', 'breaking', 'The server answers 400 to an `include` that was fine.'],
        ['include-added', 'fine', 'No client asks for it yet.'],
      ],
    ]),
    ...symmetric(named, [
      ['owner-renamed', 'breaking', 'The parameter of the path is a field of the items. A parameter that is none has a name in documents only.'],
      ['owners-changed', 'depends', 'Another set of parameters is part of the items.'],
    ]),
    ...symmetric(none, [
      ['resource-renamed', 'depends', 'No request shows the name. Generated clients may.'],
    ]),
    ...mutual(none, [
      [
        ['stored-removed', 'fine', 'No version showed the resource.'],
        ['stored-added', 'fine', 'No version shows the resource.'],
      ],
    ]),
    ...symmetric(none, [
      ['unseen-changed', 'fine', 'No request and no response shows the change.'],
    ]),
  ],
}
