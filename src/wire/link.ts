/** Links by relation: `{ next: '/v1/employees?limit=2&after=…' }`. */
export type Links = Readonly<Record<string, string>>

// A comma or a `rel` in quotes is text.
const linkSyntax = /<([^<>]*)>((?:[^<>,"]|"(?:[^"\\]|\\.)*")*)/g
const relationSyntax = /^(?:[^"]|"(?:[^"\\]|\\.)*")*?;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;"]+))/i

/**
 * Reads a `Link` header (RFC 8288 §3): `</v1/notes?after=…>; rel="next"` →
 * `{ next: '/v1/notes?after=…' }`. Ignores other parameters and any other text. The first link of a
 * relation counts.
 */
export function parseLink(header: string): Links {
  const links = new Map<string, string>()
  for (const [, url = '', parameters = ''] of header.matchAll(linkSyntax)) {
    const [, quoted, token = ''] = relationSyntax.exec(parameters) ?? []
    for (const relation of (quoted ?? token).split(' ')) {
      if (relation !== '' && !links.has(relation)) links.set(relation, url)
    }
  }
  return Object.fromEntries(links)
}

/**
 * Tells whether a list goes on after its response. `Link` alone does not say so: each response of a
 * deprecated version has one.
 */
export function isCut({ link = '' }: { readonly link?: string }): boolean {
  return parseLink(link).next !== undefined
}

/** Writes a `Link` header; `''` when there are no links. The inverse of {@link parseLink}. */
export function formatLink(links: Links): string {
  let header = ''
  for (const relation of Object.keys(links)) {
    header += `${header === '' ? '' : ', '}<${links[relation]}>; rel="${relation}"`
  }
  return header
}
