import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { FetchError } from "@kinora/federation/fetch/FetchError"
import type { FetchRequest } from "@kinora/federation/fetch/Hops"
import { type SignatureForm, otherForm } from "@kinora/federation/signatures/SignedRequest"
import type { SigningKey } from "@kinora/federation/signatures/SigningKey"
import { signRequest } from "@kinora/federation/signatures/SignRequest"
import type { RemoteActorRows } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Clock, Effect } from "effect"
import { createPrivateKey } from "node:crypto"

type Sign = NonNullable<FetchRequest["sign"]>

/** Hosts whose form is remembered; those asked longest ago are forgotten first. */
const maxHosts = 2_000

const isDenied = ({ reason }: FetchError): boolean =>
  reason._tag === "BadStatus" && (reason.status === 401 || reason.status === 403)

/** Signs what is fetched with the instance's key, in the form the host takes: the other one is tried once (double-knock). */
export const makeFetchSignatures = (rows: RemoteActorRows["Service"], enabled: boolean) => {
  const forms = new Map<string, SignatureForm>()
  let key: SigningKey | undefined

  const instanceKey = Effect.fnUntraced(function* () {
    if (key !== undefined) return key
    const actor = yield* rows.instance
    if (actor === undefined) return undefined
    key = { id: `${actor.url}#main-key`, privateKey: createPrivateKey(actor.privateKey), algorithm: "rsa" }
    return key
  })

  const signer =
    (signing: SigningKey, form: SignatureForm): Sign =>
    ({ method, url }) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => signRequest({ method, url: url.href, form, key: signing, now }))

  const remember = (host: string, form: SignatureForm) => {
    forms.delete(host)
    if (forms.size >= maxHosts) forms.delete(forms.keys().next().value!)
    forms.set(host, form)
  }

  return {
    /** Asks for what is at `url`, with a signature where they are given. */
    knock: Effect.fnUntraced(function* <A>(
      url: string,
      ask: (sign: Sign | undefined) => Effect.Effect<A, FetchError>
    ): Effect.fn.Return<A, FetchError | DatabaseUnavailable> {
      const signing = enabled ? yield* instanceKey() : undefined
      if (signing === undefined) return yield* ask(undefined)
      const { host } = new URL(url)
      const form = forms.get(host) ?? "cavage"
      return yield* ask(signer(signing, form)).pipe(
        Effect.catchIf(isDenied, () => {
          const other = otherForm(form)
          return Effect.tap(ask(signer(signing, other)), () => Effect.sync(() => remember(host, other)))
        })
      )
    })
  }
}
