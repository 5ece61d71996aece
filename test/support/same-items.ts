import { handle, type Registry } from 'nounful'
import { expect } from 'vitest'

const sorts = {
  v1: ['label', 'created_at'],
  v2: ['headline', 'created_at'],
  v3: ['heading', 'created_at'],
}

interface Seen {
  readonly id: string
  readonly country: string
  readonly status: string
}

const filters: readonly (readonly [query: string, meets: (item: Seen) => boolean])[] = [
  ['country=US', ({ country }) => country === 'US'],
  ['country=DE', ({ country }) => country === 'DE'],
  ['country=DE&country=US', ({ country }) => ['DE', 'US'].includes(country)],
  ['country:ne=US', ({ country }) => country !== 'US'],
  ['country:ne=DE', ({ country }) => country !== 'DE'],
  ['country:null=true', () => false],
  ['country:null=false', () => true],
  ['status=gone', ({ status }) => status === 'gone'],
  ['status:ne=gone&country=US', (item) => item.status === 'here' && item.country === 'US'],
]

/** Checks that every version has the same items, in the same order, in pages and in searches. */
export async function sameItemsIn(registry: Registry): Promise<void> {
  const get = async (url: string) => {
    const { status, body, headers } = await handle({ method: 'GET', url }, registry)
    expect([200, 404]).toContain(status)
    return { body, link: headers.link }
  }
  const ids = async (url: string) => {
    const { body } = await get(url)
    return Array.isArray(body) ? body.map(({ id }: { id: string }) => id) : (Object(body) as object)
  }
  const pages = async (url: string) => {
    const all: string[] = []
    for (let next: string | undefined = url; next !== undefined; ) {
      const { body, link } = await get(next)
      all.push(...(body as { id: string }[]).map(({ id }) => id))
      next = /<([^>]*)>; rel="next"/.exec(`${link}`)?.[1]
    }
    return all
  }
  const asked = async (version: keyof typeof sorts) => {
    const [title, made] = sorts[version]
    const all = `/${version}/people`
    const ends = async (path: string) => (Object((await get(path)).body) as { id?: string }).id
    return [
      await ids(`${all}?sort=${title}`),
      await ids(`${all}?sort=-${title},${made}`),
      await pages(`${all}?sort=${title}&limit=2`),
      await pages(`${all}?sort=-${made}&limit=3`),
      await ends(`${all}/first?sort=-${title}`),
      await ends(`${all}/last?sort=${title}`),
      (await get(`${all}/count`)).body,
      await ids(`${all}?q=king`),
      await ids(`${all}?${title}=King`),
      await ids(`/${version}/${version === 'v3' ? 'companies' : 'firms'}/c1/people?sort=${title}`),
    ]
  }
  // A filter finds the items whose view meets it.
  const all = (await get('/v2/people')).body as readonly Seen[]
  for (const [query, meets] of filters) {
    const found = all.filter(meets).map(({ id }) => id)
    expect([query, await ids(`/v2/people?${query}`)]).toEqual([query, found])
  }
  const stored = await asked('v3')
  expect(await asked('v1')).toEqual(stored)
  expect(await asked('v2')).toEqual(stored)
}
