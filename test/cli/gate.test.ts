import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type GateFolder, gateFolder, moduleWith } from './gate-folder.ts'

const timeout = 60_000
const fingerprint = /accept it by: {2}([0-9a-f]{12})/g

function fingerprintsIn(text: string): readonly string[] {
  return [...text.matchAll(fingerprint)].map(([, found = '']) => found)
}

describe('a pull request that breaks clients', () => {
  let folder: GateFolder
  const main = 'git:main:contract.json'
  const commit = (message: string) => {
    folder.git('add', '-A')
    folder.git('commit', '--quiet', '-m', message)
  }

  beforeAll(async () => {
    folder = gateFolder()
    folder.write('registry.ts', moduleWith({}))
    expect(await folder.run('snapshot', 'registry.ts', '--out', 'contract.json')).toMatchObject({
      code: 0,
      warned: 'Written to contract.json.\n',
    })
    commit('Write the contract')
    folder.git('switch', '--quiet', '-c', 'change')
    folder.write('registry.ts', moduleWith({ bound: 60, sortable: '' }))
  }, timeout)
  afterAll(() => folder.drop())

  test(
    'is red, and says what was fine',
    async () => {
      const { code, out } = await folder.run('diff', main, 'registry.ts')
      expect(code).toBe(1)
      expect(out).toMatch(/BREAKING sortable-removed/)
      expect(out).toMatch(/was fine, is refused now: {2}GET \/v1\/notes\?sort=text/)
      expect(out).toMatch(/BREAKING request-max-length-lowered {2}"text" may have 60 characters/)
      expect(out).toMatch(/POST \/v1\/notes {2}\{"text":"aaaa… \(61\)"\}/)
      expect(out).toMatch(/3 breaking, 0 depend, 1 fine; compared with git:main:contract\.json\n$/)
    },
    timeout,
  )

  test(
    'writes no snapshot, and the old one is out of date',
    async () => {
      const before = folder.read('contract.json')
      const refused = await folder.run('snapshot', 'registry.ts', '--out', 'contract.json')
      expect(refused).toMatchObject({ code: 1, out: '' })
      expect(refused.warned).toMatch(/contract\.json is not written/)
      expect(folder.read('contract.json')).toBe(before)
      const checked = await folder.run(
        'snapshot',
        'registry.ts',
        '--out',
        'contract.json',
        '--check',
      )
      expect(checked).toMatchObject({ code: 1, out: '' })
      expect(checked.warned).toMatch(/is not what the module says/)
    },
    timeout,
  )

  test(
    'is red while one break is not accepted',
    async () => {
      const { warned } = await folder.run('snapshot', 'registry.ts', '--out', 'contract.json')
      const [first = ''] = fingerprintsIn(warned)
      const accept = ['--accept', first, '--reason', 'nobody sorts']
      const one = await folder.run('snapshot', 'registry.ts', '--out', 'contract.json', ...accept)
      expect(one.code).toBe(1)
      expect(one.warned).toMatch(/accepted sortable-removed[\s\S]*nobody sorts/)
      expect(one.warned).toMatch(/2 breaking, 0 depend, 1 fine, 1 accepted/)
    },
    timeout,
  )

  test(
    'is green once each break is accepted',
    async () => {
      const { out } = await folder.run('diff', main, 'registry.ts')
      const accept = fingerprintsIn(out).flatMap((found) => [
        '--accept',
        found,
        '--reason',
        'asked',
      ])
      const written = await folder.run(
        'snapshot',
        'registry.ts',
        '--out',
        'contract.json',
        ...accept,
      )
      expect(written.code).toBe(0)
      const log = JSON.parse(folder.read('contract.json')).accepted
      expect(log).toMatchObject([
        { rule: 'sortable-removed', at: 'v1 /notes', from: 'text', reason: 'asked' },
        { rule: 'request-max-length-lowered', at: 'v1 /notes create /text', from: 80, to: 60 },
        { rule: 'request-max-length-lowered', at: 'v1 /notes update /text', from: 80, to: 60 },
      ])
      const green = await folder.run('diff', main, 'registry.ts')
      expect(green.code).toBe(0)
      expect(green.out).toMatch(/0 breaking, 0 depend, 1 fine, 3 accepted/)
      const check = ['--out', 'contract.json', '--check']
      const laidOut = { ...JSON.parse(folder.read('contract.json')), nounful: '0.0.1' }
      folder.write('contract.json', JSON.stringify(laidOut, null, 4))
      expect(await folder.run('snapshot', 'registry.ts', ...check)).toMatchObject({
        code: 0,
        out: 'contract.json is up to date.\n',
      })
    },
    timeout,
  )

  test(
    'needs a break anew that comes a second time',
    async () => {
      commit('Accept the breaks')
      folder.git('switch', '--quiet', 'main')
      folder.git('merge', '--quiet', 'change')
      expect(await folder.run('diff', main, 'registry.ts')).toMatchObject({ code: 0 })
      folder.write('registry.ts', moduleWith({ bound: 80, sortable: '' }))
      const wider = await folder.run('snapshot', 'registry.ts', '--out', 'contract.json')
      expect(wider.code).toBe(0)
      commit('Take longer texts')
      folder.write('registry.ts', moduleWith({ bound: 60, sortable: '' }))
      const again = await folder.run('diff', main, 'registry.ts')
      expect(again.code).toBe(1)
      expect(again.out).toMatch(/2 breaking/)
    },
    timeout,
  )

  test(
    'compares with main by --against after a first snapshot',
    async () => {
      const out = ['--out', 'contract.json', '--against', main]
      const { warned } = await folder.run('snapshot', 'registry.ts', ...out)
      const accept = fingerprintsIn(warned).flatMap((found) => ['--accept', found, '--reason', 'b'])
      expect((await folder.run('snapshot', 'registry.ts', ...out, ...accept)).code).toBe(0)
      folder.write('registry.ts', moduleWith({ bound: 50, sortable: '' }))
      expect((await folder.run('diff', main, 'registry.ts')).code).toBe(1)
      const next = await folder.run('snapshot', 'registry.ts', ...out)
      expect(next.code).toBe(1)
      const more = fingerprintsIn(next.warned).flatMap((found) => [
        '--accept',
        found,
        '--reason',
        'c',
      ])
      expect((await folder.run('snapshot', 'registry.ts', ...out, ...more)).code).toBe(0)
      expect((await folder.run('diff', main, 'registry.ts')).code).toBe(0)
    },
    timeout,
  )
})

describe('the command', () => {
  let folder: GateFolder
  beforeAll(async () => {
    folder = gateFolder()
    folder.write('old.ts', moduleWith({}))
    folder.write('new.ts', moduleWith({ more: ', "|`tag": z.string().optional()' }))
    folder.write('broken.json', '{"format":1}')
    folder.write('later.json', '{"format":7}')
    folder.write('openapi.json', '{"openapi":"3.1.0","info":{},"paths":{}}')
    await folder.run('snapshot', 'old.ts', '--out', 'contract.json')
    folder.git('add', '-A')
    folder.git('commit', '--quiet', '-m', 'First')
  }, timeout)
  afterAll(() => folder.drop())

  const wrong: readonly (readonly [args: readonly string[], message: RegExp])[] = [
    [['diff', 'nothing.json', 'new.ts'], /nothing\.json cannot be read/],
    [['diff', 'broken.json', 'new.ts'], /broken\.json: It is no snapshot of nounful: \/nounful is/],
    [['diff', 'later.json', 'new.ts'], /later\.json: A later release of nounful/],
    [['diff', 'openapi.json', 'new.ts'], /compare two contracts, or two OpenAPI documents/],
    [['diff', 'openapi.yaml', 'openapi.json'], /openapi\.yaml cannot be read/],
    [['diff', 'contract.json', 'new.ts', '--accept', 'a'], /use --accept of nounful snapshot/],
    [['diff', 'git:nowhere:contract.json', 'new.ts'], /git cannot read contract\.json of nowhere/],
    [['diff', 'git:main:nothing.json', 'new.ts'], /git cannot read nothing\.json of main/],
    [['diff', 'git:--output=x:contract.json', 'new.ts'], /is no branch, tag or commit/],
    [['diff', 'git:main..HEAD:contract.json', 'new.ts'], /is no branch, tag or commit/],
    [['diff', 'git:main:/etc/passwd.json', 'new.ts'], /must be a path below/],
    [['diff', 'git:main', 'new.ts'], /names no file of a commit/],
    [['diff', 'git:main:old.ts', 'new.ts'], /names no JSON/],
    [['diff', 'contract.json', 'new.ts', '--on', 'today'], /--on cannot be "today"/],
    [['diff', 'contract.json', 'new.ts', '--grace', '-1'], /--grace cannot be "-1"/],
    [['diff', 'contract.json', 'new.ts', '--format', 'xml'], /--format cannot be "xml"/],
    [['snapshot', 'old.ts', '--check'], /need a file/],
    [['snapshot', 'old.ts', '--out', 'contract.json', '--accept', 'a'], /needs a --reason/],
    [
      ['snapshot', 'old.ts', '--out', 'contract.json', '--accept', 'a', '--reason', 'b'],
      /No change has the fingerprint "a"/,
    ],
    [['snapshot', 'old.ts', '--out', 'broken.json'], /broken\.json: It is no snapshot/],
    [['changes', 'old.ts', 'v1', 'v2'], /There is no version "v2"\. Known: v1\./],
  ]

  test.concurrent.each(wrong)(
    'exits with 2: %j',
    async (args, message) => {
      const { code, out, warned } = await folder.run(...args)
      expect({ code, out }).toEqual({ code: 2, out: '' })
      expect(warned).toMatch(message)
      expect(warned).not.toMatch(/^ {4}at /m)
    },
    timeout,
  )

  test(
    'prints data, annotations and Markdown',
    async () => {
      const sides = ['diff', 'git:HEAD:contract.json', 'new.ts']
      const json = await folder.run(...sides, '--json')
      expect(json.code).toBe(1)
      expect(JSON.parse(json.out)).toMatchObject({
        tally: { breaking: 1, depends: 0, fine: 2, accepted: 0 },
        findings: expect.arrayContaining([
          expect.objectContaining({
            rule: 'update-field-added',
            at: 'v1 /notes update /|`tag',
            verdict: 'breaking',
            fingerprint: expect.stringMatching(/^[0-9a-f]{12}$/),
          }),
        ]),
      })
      const github = await folder.run(...sides, '--format', 'github')
      expect(github.out).toMatch(/^::error file=new\.ts,title=breaking update-field-added::v1 /m)
      expect(github.out.trim().split('\n')).toHaveLength(2)
      const markdown = await folder.run(...sides, '--format', 'markdown')
      expect(markdown.out).toMatch(/^### The contract: 1 breaking, 0 depend, 2 fine$/m)
      expect(markdown.out).toContain('``v1 /notes update /\\|`tag``')
    },
    timeout,
  )

  test(
    'fails for what depends only if that is strict',
    async () => {
      const sides = ['diff', 'old.ts', 'new.ts']
      folder.write('longer.ts', moduleWith({ bound: 90 }))
      const depends = ['diff', 'contract.json', 'longer.ts']
      expect((await folder.run(...sides)).code).toBe(1)
      expect((await folder.run(...depends)).code).toBe(0)
      expect((await folder.run(...depends, '--strict')).code).toBe(1)
    },
    timeout,
  )

  test(
    'prints a snapshot to the standard output',
    async () => {
      const { code, out } = await folder.run('snapshot', 'old.ts')
      expect(code).toBe(0)
      expect(out).toBe(folder.read('contract.json'))
    },
    timeout,
  )
})

describe('a pull request that changes an OpenAPI document', () => {
  let folder: GateFolder
  const sides = ['diff', 'git:HEAD:api/openapi.yaml', 'api/openapi.yaml']
  const log = ['--accepted', 'api/accepted.json']
  const withLimit = (maximum: number) => {
    const limit = `{ name: limit, in: query, schema: { type: integer, maximum: ${maximum} } }`
    const get = `{ parameters: [${limit}], responses: { 200: { description: Pets } } }`
    folder.write('api/openapi.yaml', `openapi: 3.1.0\npaths: { /pets: { get: ${get} } }\n`)
  }
  const commit = () => {
    folder.git('add', '-A')
    folder.git('commit', '--quiet', '-m', 'Change the API')
  }

  beforeAll(() => {
    folder = gateFolder()
  })
  afterAll(() => folder.drop())

  test(
    'is green by its log, and the next one needs a new entry',
    async () => {
      withLimit(500)
      commit()
      expect((await folder.run(...sides, ...log)).code).toBe(0)
      withLimit(100)
      const red = await folder.run(...sides, ...log)
      expect(red.code).toBe(1)
      const accept = ['--accept', ...fingerprintsIn(red.out), '--reason', 'too slow']
      expect((await folder.run(...sides, ...log, ...accept)).code).toBe(0)
      expect((await folder.run(...sides, ...log)).code).toBe(0)
      commit()
      withLimit(500)
      commit()
      // The same break again.
      withLimit(100)
      expect((await folder.run(...sides, ...log)).code).toBe(1)
      expect((await folder.run(...sides, ...log, ...accept)).code).toBe(0)
      expect((await folder.run(...sides, ...log)).code).toBe(0)
    },
    timeout,
  )
})
