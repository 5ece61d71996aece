import type { Json } from '../../contract/schema/schema.ts'
import { canonicalText } from '../canonical.ts'
import type { JsonObject } from '../snapshot.ts'
import type { Alternative, Credential } from './api-document.ts'
import { childOf, elementsOf, entriesOf, followChain, textIn } from './json-node.ts'
import { type DocumentPlace, listIn, membersIn, type ReadContext } from './read-context.ts'

/** Reads the credentials that an operation takes: its own, else those of the document. */
export function readSecurity(
  context: ReadContext,
  operation: JsonObject,
  place: DocumentPlace,
): readonly Alternative[] {
  const own = childOf(operation, 'security')
  const at = own === undefined ? ['security'] : [...place, 'security']
  const list = listIn(context, own ?? childOf(context.root, 'security'), at)
  const alternatives = list.map((given, index) =>
    membersIn(context, given, [...at, index]).map(([name, scopes]) =>
      credentialOf(context, name, scopes),
    ),
  )
  return alternatives.length === 0 ? [[]] : alternatives
}

function credentialOf({ root }: ReadContext, name: string, scopes: Json): Credential {
  const schemes = childOf(childOf(root, 'components'), 'securitySchemes')
  const { node } = followChain(childOf(schemes, name), root)
  const type = textIn(node, 'type') ?? 'unknown'
  return {
    name,
    type,
    scheme: schemeOf(node, type) ?? `unknown ${name}`,
    scopes: elementsOf(scopes).map(String).sort(),
  }
}

// The URLs where a client gets a token tell two schemes apart; a text about them does not.
function schemeOf(node: Json | undefined, type: string): string | undefined {
  switch (type) {
    case 'apiKey': {
      const name = textIn(node, 'name') ?? ''
      const where = textIn(node, 'in') ?? ''
      return `apiKey ${where} ${where === 'header' ? name.toLowerCase() : name}`
    }
    case 'http':
      return `http ${textIn(node, 'scheme')?.toLowerCase() ?? ''}`
    case 'oauth2':
      return `oauth2 ${flowsOf(node)}`
    case 'openIdConnect':
      return `openIdConnect ${textIn(node, 'openIdConnectUrl') ?? ''}`
    case 'mutualTLS':
      return type
    default:
      return undefined
  }
}

function flowsOf(node: Json | undefined): string {
  const urls = ['authorizationUrl', 'tokenUrl', 'refreshUrl', 'deviceAuthorizationUrl']
  const flows = entriesOf(childOf(node, 'flows')).map(([kind, flow]) => [
    kind,
    urls.map((url) => textIn(flow, url) ?? null),
  ])
  return canonicalText(Object.fromEntries(flows))
}
