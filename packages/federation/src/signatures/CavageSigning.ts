import { Effect } from "effect"
import httpSignature from "http-signature"
import { signText } from "./SignatureScheme.ts"
import type { SigningKey } from "./SigningKey.ts"

/** `http-signature` writes no `hs2019`, which is how the draft names an Ed25519 key; it is put in its place afterwards. */
const standIn = { rsa: "rsa-sha256", ed25519: "ed25519-sha512" } as const

const asSent = (header: string): string =>
  header.slice("Signature ".length).replace(`algorithm="${standIn.ed25519}"`, 'algorithm="hs2019"')

/** The `Signature` header of draft-cavage-12 over `(request-target)` (with its query), `host` and `headers`, in this order. */
export const signedByCavage = (
  { id, privateKey, algorithm }: SigningKey,
  method: string,
  url: URL,
  headers: Readonly<Record<string, string>>
): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const signer = httpSignature.createSigner({
      sign: (text, done) =>
        signText(text, privateKey, algorithm, (failure, signature) =>
          done(failure, { keyId: id, algorithm: standIn[algorithm], signature })
        )
    })
    signer.writeTarget(method, url.pathname + url.search)
    signer.writeHeader("host", url.host)
    for (const [name, value] of Object.entries(headers)) signer.writeHeader(name, value)
    signer.sign((failure, header) =>
      resume(header === undefined ? Effect.die(failure) : Effect.succeed(asSent(header)))
    )
  })
