/** The tried command lines, with exit code and output. Cases that write come last. */
export function casesFor(servers) {
  return [
    ...helps,
    ...routes,
    ...doctors,
    ...documents,
    ...explanations,
    ...gates,
    ...wrongs,
    ...checksOf(servers),
  ]
}

/** The cases of a folder where neither jiti nor yaml is installed. */
export function bareCasesFor({ stripsTypes }) {
  const jiti = /npm install --save-dev jiti$/m
  const typed = stripsTypes
    ? { code: 0, says: row }
    : { code: 2, warns: [/^typed\.ts cannot be loaded: Node 20\.\S+ runs no TypeScript/, jiti] }
  const snapshot = ['snapshot', 'typed.ts', '--out', 'bare.json']
  return [
    { args: ['routes', 'plain.mjs'], code: 0, says: row },
    { args: ['routes', 'typed.ts'], ...typed },
    stripsTypes
      ? { args: snapshot, code: 0, writes: 'bare.json' }
      : { args: snapshot, code: 2, warns: jiti, lacks: 'bare.json' },
    { args: ['routes', 'enums.ts'], code: 2, warns: jiti },
    { args: ['routes', 'extensionless.mts'], code: 2, warns: jiti },
    {
      args: ['routes', 'lacks.mjs'],
      code: 2,
      warns: /^lacks\.mjs:1:8: Cannot find "there-is-no-such-package"\n$/,
    },
    { args: ['routes', 'broken.mjs'], code: 2, warns: /^broken\.mjs.*: Unexpected .*\n$/ },
    {
      args: ['diff', 'pets.yaml', 'pets.yaml'],
      code: 2,
      warns: /^pets\.yaml is YAML.* npm install --save-dev yaml$/m,
    },
  ]
}

const helps = [
  { args: ['--help'], code: 0, says: [/Usage: nounful/, /Exit codes: 0 fine/] },
  { args: ['--version'], code: 0, says: /^\d+\.\d+\.\d+\n$/ },
  ...[
    'serve',
    'routes',
    'openapi',
    'explain',
    'check',
    'doctor',
    'snapshot',
    'diff',
    'changes',
  ].map((name) => ({
    args: [name, '--help'],
    code: 0,
    says: [/Examples:\n {2}npx nounful/, /Exit codes:/],
  })),
  { args: ['help'], code: 0, says: /Usage: nounful/ },
  { args: ['help', 'routes'], code: 0, says: /Usage: nounful routes/ },
  { args: [], code: 0, says: [/^nounful \d/, /^ {2}doctor +compare/m, /^Next: declare your/m] },
]

const row = /^ {4}PUT +\/:id +update +200 +dry_run$/m
const routes = [
  ...[
    'plain.mjs',
    'plain.js',
    'typed.ts',
    'typed.mts',
    'extensionless.mts',
    'as-js.ts',
    'enums.ts',
    'common.cjs',
    'default.mjs',
  ].map((name) => ({
    args: ['routes', name],
    code: 0,
    says: row,
  })),
  {
    args: ['routes', 'plain.mjs', '--json'],
    code: 0,
    says: /"path": "\/v1\/people\/:person_id\/pets\/count"/,
  },
  {
    args: ['routes', 'plain.mjs', '--json'],
    code: 0,
    says: [/"takes": "patches"/, /"application\/merge-patch\+json"/],
  },
  { args: ['routes', 'several.mjs#one'], code: 0, says: row },
  { args: ['routes', './plain.mjs#api'], code: 0, says: row },
  { args: ['routes', 'listening.mjs'], code: 0, says: row },
  { args: ['routes', 'noisy.mjs', '--json'], code: 0, warns: /hello/ },
  { args: ['routes', 'versions.mjs'], code: 0, says: /^\/v2\/people$/m },
  {
    args: ['routes', 'plain.mjs', '--wide'],
    code: 0,
    says: /^v1 +\/v1\/people\/:id +PUT +update +dry_run +200$/m,
  },
]

const doctors = [
  { args: ['doctor', 'plain.mjs'], code: 0, says: /^people +not checked$/m },
  { args: ['doctor', 'plain.mjs', '--json'], code: 0, says: /"state": "not checked"/ },
  {
    args: ['doctor', 'unfit.mjs'],
    code: 1,
    says: [/^people +people +1 mismatch$/m, /^ {4}alter /m],
  },
  { args: ['doctor', 'unfit.mjs', '--json'], code: 1, says: /"fix": "alter table/ },
  { args: ['doctor', 'plain.mjs#api'], code: 2, warns: /without adapters/ },
]

const documents = [
  { args: ['openapi', 'typed.ts'], code: 0, says: /"openapi": "3\.1/ },
  {
    args: [
      'openapi',
      'plain.mjs',
      '--out',
      'made.json',
      '--title',
      'T',
      '--version',
      '9.9.9',
      '--server',
      'https://a.example',
    ],
    code: 0,
    warns: /Written to made\.json/,
    writes: 'made.json',
  },
  {
    args: ['openapi', 'plain.mjs', '--version', '9.9.9', '--title', 'Mine'],
    code: 0,
    says: [/"version": "9\.9\.9"/, /"title": "Mine"/],
  },
  {
    args: ['openapi', 'plain.mjs', '--out', 'nowhere/made.json'],
    code: 2,
    warns: /cannot be written/,
  },
]

const gates = [
  {
    args: ['snapshot', 'plain.mjs'],
    code: 0,
    says: [/^\{\n {2}"accepted": \[\],/, /"format": 1,/],
  },
  {
    args: ['snapshot', 'typed.ts', '--out', 'contract.json'],
    code: 0,
    warns: /Written to contract\.json\./,
    writes: 'contract.json',
  },
  { args: ['diff', 'plain.mjs', 'typed.ts'], code: 0, says: /^0 breaking, 0 depend, 0 fine/ },
  { args: ['diff', 'plain.mjs', 'typed.ts', '--json'], code: 0, says: /"findings": \[\]/ },
  {
    args: ['diff', 'plain.mjs', 'versions.mjs'],
    code: 1,
    says: [/BREAKING path-removed/, /was fine, is refused now: {2}GET \/v1\/people\/7\/pets/],
  },
  {
    args: ['diff', 'plain.mjs', 'versions.mjs', '--format', 'github'],
    code: 1,
    says: /^::error file=versions\.mjs,title=breaking path-removed::/m,
  },
  { args: ['changes', 'versions.mjs', 'v1', 'v2'], code: 0, says: /^# From v1 to v2\n/ },
  { args: ['changes', 'plain.mjs', 'v1', 'v2'], code: 2, warns: /There is no version "v2"/ },
  { args: ['diff', 'pets.yaml', 'pets.yaml'], code: 0, says: /^0 breaking/ },
  { args: ['diff', 'plain.mjs', 'openapi.yaml'], code: 2, warns: /openapi\.yaml cannot be read/ },
  { args: ['diff', 'git:-x:a.json', 'plain.mjs'], code: 2, warns: /is no branch/ },
  { args: ['snapshot', 'plain.mjs', '--accept', 'a'], code: 2, warns: /--out/ },
]

const explanations = [
  {
    args: ['explain', 'DELETE /v1/people?q=x', 'plain.mjs'],
    code: 0,
    says: [/conflict +decides/, /The response is 409 too_many_affected/],
  },
  {
    args: ['explain', 'GET http://h:1/v1/people/a/pets?sort=-name', 'typed.ts'],
    code: 0,
    says: [/operation +list/, /where person_id in "a"/, /sort +name desc/, /parent +depends/],
  },
  {
    args: ['explain', '/v1/people/7', 'enums.ts'],
    code: 0,
    says: [/operation +read/, /item +depends/],
  },
  {
    args: ['explain', 'POST /v1/people', 'plain.js', '--body', '{"name":1}'],
    code: 0,
    says: [/body +decides/, /\/name +invalid: has no name/],
  },
  {
    args: ['explain', 'POST /v1/people', 'plain.js', '--body', '@employee.json', '--json'],
    code: 0,
    says: /"state": "depends"/,
  },
  {
    args: [
      'explain',
      'PUT /v1/people/a',
      'plain.js',
      '--body',
      '{}',
      '--header',
      'content-type: text/plain',
    ],
    code: 0,
    says: /unsupported_media_type/,
  },
  {
    args: ['explain', 'PATCH /v1/people/7', 'plain.js', '--body', '{"name":"a","more":null}'],
    code: 0,
    says: [/call +modify of people "7"/, /answer +depends on the storage/],
  },
  {
    args: ['explain', 'POST /v1/people?dry_run=true', 'plain.js', '--body', '{"name":"a"}'],
    code: 0,
    says: /The response is 200\.\n\n/,
  },
  {
    args: ['explain', 'PATCH /v1/people/first', 'plain.js', '--json'],
    code: 0,
    says: [/"method_not_allowed"/, /"allow": "GET, HEAD/],
  },
  { args: ['explain', 'GET /people', 'versions.mjs'], code: 0, says: /unknown_version/ },
  { args: ['explain', 'OPTIONS *', 'plain.mjs'], code: 0, says: /The response is 200/ },
]

const wrongs = [
  { args: ['rotues', 'x'], code: 2, warns: /Did you mean routes/ },
  {
    args: ['routes'],
    code: 2,
    warns: /No module is named, and \.\/, .+ hold no registry\.ts/,
  },
  { args: ['diff'], code: 2, warns: /No module is named/ },
  { args: ['changes', 'v1', 'v2'], code: 2, warns: /No module is named/ },
  { args: ['routes', 'a', 'b'], code: 2, warns: /too many arguments/ },
  { args: ['routes', 'plain.mjs', '--jsno'], code: 2, warns: /Did you mean --json/ },
  { args: ['routes', 'missing.ts'], code: 2, warns: /The module missing\.ts does not exist/ },
  { args: ['routes', 'folder'], code: 2, warns: /folder is no module/ },
  { args: ['routes', 'none.mjs'], code: 2, warns: /exports no registry and no API/ },
  { args: ['routes', 'empty.mjs'], code: 2, warns: /exports no registry and no API/ },
  { args: ['routes', 'data.json'], code: 2, warns: /data\.json/ },
  { args: ['routes', 'several.mjs'], code: 2, warns: /several\.mjs#one/ },
  { args: ['routes', 'plain.mjs#registyr'], code: 2, warns: /write "registry"/ },
  { args: ['routes', 'throws.mjs'], code: 2, warns: /^throws\.mjs:2:7: No database here$/m },
  { args: ['routes', 'waits.mjs'], code: 2, warns: /waits forever/ },
  { args: ['routes', 'exits.mjs'], code: 2, warns: /ends the process/ },
  { args: ['routes', 'throws.ts'], code: 2, warns: /^throws\.ts:2:7: Not there$/m },
  { args: ['routes', 'throws-text.mjs'], code: 2, warns: /a text/ },
  { args: ['routes', 'wrong.mjs'], code: 2, warns: /people/ },
  {
    args: ['routes', 'broken.mjs'],
    code: 2,
    warns: /^broken\.mjs:1:\d+: Unexpected (?:end of input|token)$/m,
  },
  { args: ['routes', 'broken.ts'], code: 2, warns: /^broken\.ts:1:\d+: \S/ },
  {
    args: ['routes', 'lacks.mjs'],
    code: 2,
    warns: /^lacks\.mjs:1:8: Cannot find "there-is-no-such-package"$/m,
  },
  { args: ['explain', 'nonsense', 'plain.mjs'], code: 2, warns: /is no request/ },
  { args: ['explain', 'GET /v1/people'], code: 2, warns: /No module is named/ },
  { args: ['explain', '/a', 'plain.mjs', '--header', 'x'], code: 2, warns: /is no header/ },
  {
    args: ['explain', 'POST /a', 'plain.mjs', '--body', '@missing'],
    code: 2,
    warns: /The body cannot be read/,
  },
  { args: ['check'], code: 2, warns: /missing required argument 'url'/ },
  { args: ['check', 'nonsense'], code: 2, warns: /is no URL of a server/ },
  { args: ['check', 'ftp://a/b'], code: 2, warns: /is no URL of a server/ },
  { args: ['check', 'localhost:3000'], code: 2, warns: /http:\/\/localhost:3000/ },
  { args: ['check', 'http://127.0.0.1:1'], code: 2, warns: /No server listens there/ },
  {
    args: ['check', 'http://there-is-no.invalid/v1/a'],
    code: 2,
    warns: /This host does not exist/,
  },
  {
    args: ['check', 'http://127.0.0.1:1', '--timeout', 'soon'],
    code: 2,
    warns: /--timeout cannot be "soon"/,
  },
  { args: ['check', 'http://127.0.0.1:1', '--empty'], code: 2, warns: /with --write/ },
  {
    args: ['check', 'http://127.0.0.1:1', '--sample', 'data.json'],
    code: 2,
    warns: /with --write/,
  },
]

function checksOf({ right, guarded, hanging, other, pages, crashing, jsonServer }) {
  return [
    {
      args: ['check', right],
      code: 0,
      says: [/\/v1\/people\/\{person_id\}\/pets/, /\d\d kept, 0 broken/, /reads only/],
    },
    { args: ['check', `${right}/v1/people/a/pets`, '--json'], code: 0, says: /"verdict": "kept"/ },
    {
      args: ['check', right, '--collection', '/v1/people', '--requests', '5'],
      code: 2,
      says: [/--requests/, /not all judged: \/v1\/people/],
      warns: /At most 5 requests/,
    },
    { args: ['check', `${right}/v1/nothing`], code: 2, warns: /No collection was found/ },
    { args: ['check', guarded], code: 2, warns: /--header/, isOpen: true },
    {
      args: ['check', guarded, '--header', 'authorization: Bearer secret'],
      code: 0,
      says: /0 broken/,
    },
    {
      args: ['check', hanging, '--timeout', '300'],
      code: 2,
      warns: /The whole response did not come within 300 ms/,
    },
    { args: ['check', other], code: 2, warns: /does not speak HTTP/ },
    { args: ['check', pages], code: 2, warns: /No collection was found/ },
    { args: ['check', crashing], code: 2, warns: /closed without a response/ },
    {
      args: ['check', right, '--write', '--sample', 'list.json'],
      code: 2,
      warns: /must hold an object/,
    },
    {
      args: ['check', right, '--write', '--sample', 'broken.mjs'],
      code: 2,
      warns: /cannot be read as JSON/,
    },
    {
      args: ['check', right, '--write', '--sample', 'data.json'],
      code: 2,
      warns: /must name the collection/,
    },
    {
      args: ['check', `${jsonServer}/posts`],
      code: 1,
      says: [/BROKEN {2}lists {2,}\d+ kept, \d+ broken/, /BROKEN unknown-parameter/, /curl -i/],
    },
    {
      args: ['check', `${jsonServer}/posts`, '--all'],
      code: 1,
      says: [/BROKEN unknown-parameter/, /kept {2,}list-is-array/, /curl -i/],
    },
    {
      args: [
        'check',
        jsonServer,
        '--collection',
        '/posts',
        '--collection',
        '/posts/{postId}/comments',
        '--write',
        '--json',
      ],
      code: 1,
      says: /"verdict": "broken"/,
    },
  ].filter(({ isOpen }) => !isOpen)
}

/** The cases that write to a server which the rest count on. They run last. */
export function writingCasesFor({ right }) {
  return [
    {
      args: ['check', right, '--write'],
      code: 0,
      says: [/1\d\d kept, 0 broken/, /reads and writes/],
    },
    {
      args: ['check', `${right}/v1/people`, '--write', '--sample', 'employee.json'],
      code: 0,
      says: /0 broken/,
    },
  ]
}
