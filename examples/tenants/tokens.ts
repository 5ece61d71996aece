import { createLocalJWKSet, exportJWK, generateKeyPair, type JWTVerifyGetKey, SignJWT } from 'jose'
import { audience, type Caller, issuer } from './callers.ts'

/** A login of its own for the example. Yours has a key set at a URL: `createRemoteJWKSet(url)`. */
export interface Login {
  /** The public keys, for the service. */
  readonly keys: JWTVerifyGetKey
  /** Makes a token. `expires` is the moment of its end; default: in 15 minutes. */
  tokenOf(caller: Caller, expires?: Date): Promise<string>
}

/** Makes a key pair, and tokens with it. The private key never leaves the process. */
export async function openLogin(): Promise<Login> {
  const { publicKey, privateKey } = await generateKeyPair('ES256')
  const jwk = { ...(await exportJWK(publicKey)), alg: 'ES256', kid: crypto.randomUUID() }
  return {
    keys: createLocalJWKSet({ keys: [jwk] }),
    tokenOf: ({ sub, ...claims }, expires) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: jwk.kid })
        .setSubject(sub)
        .setIssuer(issuer)
        .setAudience(audience)
        .setIssuedAt()
        .setExpirationTime(expires ?? '15m')
        .sign(privateKey),
  }
}
