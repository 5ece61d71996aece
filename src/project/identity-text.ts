/** The files of a service with tenants that say who calls, and what a caller may do. */
export const identityFiles = {
  'callers.ts': `// Who calls: the token of a request, as claims that the service trusts.
import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type HttpRequest, problem } from 'nounful'
import { z } from 'zod'

/** The claims that this service needs. An operator belongs to no tenant, and sees them all. */
const Caller = z.discriminatedUnion('role', [
  z.object({
    sub: z.string().min(1),
    tenant_id: z.string().min(1),
    role: z.enum(['reader', 'member', 'admin']),
  }),
  z.object({ sub: z.string().min(1), role: z.literal('operator') }),
])

/** The caller of a request. */
export type Caller = z.infer<typeof Caller>

/** Where tokens come from, and for whom they are. */
export interface Issuer {
  readonly issuer: string
  readonly audience: string
  readonly keys: JWTVerifyGetKey
}

const challenge = 'Bearer error="invalid_token"'

/** Returns the caller that the token of a request names. Any other token is 401. */
export async function callerOf({ headers }: HttpRequest, from: Issuer): Promise<Caller> {
  const [, token] = /^Bearer +(\\S+)$/i.exec(\`\${headers?.authorization}\`) ?? []
  if (token === undefined) throw problem('unauthenticated')
  const { data } = Caller.safeParse(await claimsOf(token, from))
  if (data === undefined) throw problem('unauthenticated', undefined, { challenge })
  return data
}

async function claimsOf(token: string, { issuer, audience, keys }: Issuer): Promise<unknown> {
  try {
    // \`algorithms\` refuses "none", and a public key that is used as a secret.
    const { payload } = await jwtVerify(token, keys, {
      ...{ issuer, audience, algorithms: ['ES256', 'RS256'] },
      ...{ requiredClaims: ['sub', 'exp'], maxTokenAge: '1h' },
    })
    return payload
  } catch (error) {
    if (isFaultOfToken(error)) throw problem('unauthenticated', undefined, { challenge })
    throw error
  }
}

// A key set that does not arrive is no fault of the token: it stays a 500 in the log.
function isFaultOfToken(error: unknown): boolean {
  const faultsOfKeys = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']
  return error instanceof errors.JOSEError && !faultsOfKeys.includes(error.code)
}
`,
  'login.ts': `// Whose tokens count: those of your identity provider, or of keys of this process.
import { createLocalJWKSet, createRemoteJWKSet, exportJWK, generateKeyPair, SignJWT } from 'jose'
import type { Caller, Issuer } from './callers.ts'

const { JWKS_URL, JWT_ISSUER = 'https://login.example', JWT_AUDIENCE = 'api' } = process.env

/** Returns the identity provider that JWKS_URL names; \`undefined\` for none. */
export function remoteIssuer(): Issuer | undefined {
  if (JWKS_URL === undefined) return undefined
  const keys = createRemoteJWKSet(new URL(JWKS_URL))
  return { issuer: JWT_ISSUER, audience: JWT_AUDIENCE, keys }
}

/** An issuer for development and tests, which also makes tokens. */
export interface LocalIssuer extends Issuer {
  tokenOf(caller: Caller): Promise<string>
}

/** Makes keys that last as long as the process. */
export async function localIssuer(): Promise<LocalIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = {
    ...(await exportJWK(publicKey)),
    alg: 'ES256',
    kid: crypto.randomUUID(),
  }
  const from = { issuer: JWT_ISSUER, audience: JWT_AUDIENCE }
  return {
    ...from,
    keys: createLocalJWKSet({ keys: [jwk] }),
    tokenOf: ({ sub, ...claims }) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', kid: jwk.kid })
        .setSubject(sub)
        .setIssuer(from.issuer)
        .setAudience(from.audience)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
  }
}
`,
  'rights.ts': `// What a caller may do: the operations of each role, and a limit of requests.
import { type Middleware, operations, problem } from 'nounful'
import type { Caller } from './callers.ts'

/** What a request carries from \`.context()\` to the operation. */
export interface Context {
  readonly caller: Caller
}

const rights: Readonly<Record<Caller['role'], readonly string[]>> = {
  reader: ['GET'],
  member: ['GET', 'POST', 'PUT', 'PATCH'],
  admin: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  operator: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
}

/** Refuses an operation that the role of the caller does not have: 403, the same for each id. */
export const byRole: Middleware<Context> = (operation, { caller }, next) => {
  if (!rights[caller.role].includes(operations[operation.kind].method)) throw problem('forbidden')
  return next()
}

/** Returns a function that counts a request of a caller. One too many in a minute is 429. */
export function rateLimit(perMinute: number): (caller: Caller) => void {
  const counts = new Map<string, number>()
  setInterval(() => counts.clear(), 60_000).unref()
  return ({ sub, ...claims }) => {
    const key = JSON.stringify([claims, sub])
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    if (count > perMinute) throw problem('rate_limited', undefined, { retryAfter: 60 })
  }
}
`,
} as const
