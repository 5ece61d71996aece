import { lone, mutual, type RuleGroup, symmetric } from './rule.ts'

const side = { direction: 'none', see: 'lifecycle' } as const
const onRequest = { direction: 'request', see: 'service' } as const

/** The rules of versions, their stages and their ends. */
// biome-ignore format: a row stays a line
export const versionGroup: RuleGroup = {
  title: 'Versions',
  rows: [
    ...mutual(side, [
      [
        ['version-removed', 'breaking', 'The server answers 404 to every path of the version. After its sunset, and for a draft, that is fine.'],
        ['version-added', 'fine', 'No client of another version sees it.'],
      ],
      [
        ['version-retired', 'breaking', 'The server answers 404 `retired_version` to every path of the version. After its sunset that is fine.'],
        ['version-restored', 'fine', 'A retired version works again.'],
      ],
      [
        ['version-deprecated', 'fine', 'The version works as before, and announces its end.'],
        ['version-undeprecated', 'fine', 'The version stays.'],
      ],
      [
        ['path-deprecated', 'fine', 'The path works as before, and announces its end.'],
        ['path-undeprecated', 'fine', 'The path stays.'],
      ],
      [
        ['sunset-set', 'fine', 'Clients learn the date of the end.'],
        ['sunset-dropped', 'fine', 'The end has no date any more.'],
      ],
      [
        ['sunset-moved-earlier', 'breaking', 'Clients trusted the date that the server promised.'],
        ['sunset-moved-later', 'fine', 'Clients get more time.'],
      ],
      [
        ['successor-removed', 'depends', 'Clients no longer learn which version comes next.'],
        ['successor-set', 'fine', 'Clients learn which version comes next.'],
      ],
      [
        ['deprecation-link-removed', 'depends', 'Clients no longer find the page about the end.'],
        ['deprecation-link-set', 'fine', 'Clients find a page about the end.'],
      ],
      [
        ['released-to-draft', 'breaking', 'A draft may change at will, and clients use the version.'],
        ['draft-released', 'fine', 'The version is a promise from now on.'],
      ],
    ]),
    ...symmetric(side, [
      ['deprecation-moved', 'fine', 'The version works as before.'],
      ['successor-changed', 'depends', 'Clients that follow the link get to another version.'],
      ['deprecation-link-changed', 'fine', 'Clients find another page about the end.'],
      ['draft-changed', 'fine', 'A draft may change at will.'],
    ]),
    ...lone(side, [
      ['sunset-missing', 'depends', 'Clients learn that the version ends, and not when.', 'It judges the new side alone.'],
      ['sunset-too-soon', 'breaking', 'Clients have fewer days than `--grace` demands.', 'It depends on today.'],
      ['sunset-before-deprecation', 'breaking', 'RFC 9745 §4 forbids a sunset before the deprecation.', 'It judges the new side alone.'],
    ]),
    ...symmetric(onRequest, [
      ['default-version-changed', 'breaking', 'Requests without a version move.'],
    ]),
    ...mutual(onRequest, [
      [
        ['default-version-off', 'breaking', 'The server answers 404 to a path without a version.'],
        ['default-version-on', 'fine', 'A path without a version works.'],
      ],
    ]),
  ],
}
