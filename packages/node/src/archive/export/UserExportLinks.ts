import { newSecret } from "../../people/session/RandomText.ts"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { Clock, Context, Effect, Layer, Option, Schema } from "effect"
import { createHmac, timingSafeEqual } from "node:crypto"

/** Contract: Lifetimes, userExportJWT. Seconds. */
const lifetime = 15 * 60
const settingKey = "user_export_link_secret"
const pattern = /^([A-Za-z0-9_-]{1,200})\.([A-Za-z0-9_-]{1,500})\.([A-Za-z0-9_-]{43})$/

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
const header = encode({ alg: "HS256", typ: "JWT" })

const Claims = Schema.fromJsonString(Schema.Struct({ sub: Schema.String, exp: Schema.Finite }))
const decodeClaims = Schema.decodeUnknownOption(Claims)

/**
 * Tokens that open one archive for 15 minutes, for anyone who has the link: browsers send no Authorization header with
 * a download. They are JSON Web Tokens (RFC 7519, HS256 only), signed with a secret of the instance.
 */
export class UserExportLinks extends Context.Service<
  UserExportLinks,
  {
    readonly issue: (uuid: string) => Effect.Effect<string>
    /** Whether the token opens this archive now. */
    readonly opens: (token: string, uuid: string) => Effect.Effect<boolean>
  }
>()("@kinora/node/userexports/UserExportLinks") {
  static readonly layer: Layer.Layer<UserExportLinks, DatabaseUnavailable, InstanceSettings> = Layer.effect(
    UserExportLinks,
    Effect.gen(function* () {
      const settings = yield* InstanceSettings
      const secret = Buffer.from(yield* settings.textOr(settingKey, newSecret()), "base64url")
      const sign = (signed: string) => createHmac("sha256", secret).update(signed).digest()
      const now = Effect.map(Clock.currentTimeMillis, (millis) => Math.floor(millis / 1000))

      return UserExportLinks.of({
        issue: Effect.fnUntraced(function* (uuid: string) {
          const iat = yield* now
          const signed = `${header}.${encode({ sub: uuid, iat, exp: iat + lifetime })}`
          return `${signed}.${sign(signed).toString("base64url")}`
        }),
        opens: Effect.fnUntraced(function* (token: string, uuid: string) {
          const [, head, body, signature] = pattern.exec(token) ?? []
          if (head !== header || body === undefined || signature === undefined) return false
          if (!timingSafeEqual(Buffer.from(signature, "base64url"), sign(`${head}.${body}`))) return false
          const claims = decodeClaims(Buffer.from(body, "base64url").toString("utf8"))
          return Option.isSome(claims) && claims.value.sub === uuid && claims.value.exp > (yield* now)
        })
      })
    })
  )
}
