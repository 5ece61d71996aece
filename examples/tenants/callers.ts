import { errors, type JWTVerifyGetKey, jwtVerify } from 'jose'
import { type HttpRequest, problem } from 'nounful'
import { z } from 'zod'

/** The service that makes the tokens, and the service that they are for. */
export const issuer = 'https://login.example'
export const audience = 'https://tracker.example'

const ofTenant = { sub: z.string().min(1), tenant_id: z.string().min(1) }

/** The claims that this service needs. An operator belongs to no tenant. */
const Caller = z.discriminatedUnion('role', [
  z.object({ ...ofTenant, role: z.enum(['member', 'admin', 'service']) }),
  z.object({ sub: z.string().min(1), role: z.literal('operator') }),
])

/** A user, or a service account, as the token tells. */
export type Caller = z.infer<typeof Caller>

const challenge = 'Bearer error="invalid_token"'

/** Returns the caller that the token of a request names. Throws 401 for every other token. */
export async function callerOf(request: HttpRequest, keys: JWTVerifyGetKey): Promise<Caller> {
  const [, token] =
    /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i.exec(`${request.headers?.authorization}`) ?? []
  if (token === undefined) throw problem('unauthenticated')
  const { data } = Caller.safeParse(await claimsOf(token, keys))
  if (data === undefined) throw problem('unauthenticated', undefined, { challenge })
  return data
}

// `algorithms` refuses "none", and a public key that is used as a secret.
async function claimsOf(token: string, keys: JWTVerifyGetKey): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      issuer,
      audience,
      algorithms: ['ES256'],
      typ: 'at+jwt',
      requiredClaims: ['sub', 'iat', 'exp'],
      maxTokenAge: '1h',
    })
    return payload
  } catch (error) {
    if (isFaultOfToken(error)) throw problem('unauthenticated', undefined, { challenge })
    throw error
  }
}

// A key set that does not arrive is no fault of the token: it stays a 500 that `onError` sees.
const faultsOfKeys: readonly string[] = ['ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID', 'ERR_JOSE_GENERIC']

function isFaultOfToken(error: unknown): boolean {
  return error instanceof errors.JOSEError && !faultsOfKeys.includes(error.code)
}
