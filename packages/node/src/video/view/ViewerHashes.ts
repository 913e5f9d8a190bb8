import { clientKey } from "@kinora/domain/network/ClientKey"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { InstanceSettings } from "@kinora/storage/instance/installation/InstanceSettings"
import { Context, Effect, Layer, Option } from "effect"
import { createHmac } from "node:crypto"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { newSecret } from "../../people/session/RandomText.ts"

/** What distinguishes the viewer of a report from others. */
export interface Who {
  readonly userId: Option.Option<number>
  /** Address of the client, as reported by trusted proxies. */
  readonly address: string
  readonly sessionId: string | undefined
  readonly userAgent: string | undefined
}

const settingKey = "viewer_hash_secret"
/** 128 bits make collisions practically impossible. */
const bytes = 16

/**
 * Keyed hashes (HMAC-SHA-256) that stand for viewers. The database alone reveals nobody, and viewers of two videos
 * cannot be compared. A logged-in user is one viewer on every device. Others are an address (for IPv6 a /64 network)
 * with the session id of their player, or else with their user agent.
 */
export class ViewerHashes extends Context.Service<
  ViewerHashes,
  { readonly of: (videoId: number, who: Who) => { readonly viewer: string; readonly address: string } }
>()("@kinora/node/views/ViewerHashes") {
  static readonly layer: Layer.Layer<ViewerHashes, DatabaseUnavailable, InstanceSettings | KinoraConfig> = Layer.effect(
    ViewerHashes,
    Effect.gen(function* () {
      const settings = yield* InstanceSettings
      const trusted = (yield* KinoraConfig).views.videos.trust_viewer_session_id
      const secret = Buffer.from(yield* settings.textOr(settingKey, newSecret()), "base64url")
      const hash = (videoId: number, ...parts: ReadonlyArray<string>) =>
        createHmac("sha256", secret)
          .update(JSON.stringify([videoId, ...parts]))
          .digest()
          .subarray(0, bytes)
          .toString("hex")

      return ViewerHashes.of({
        of: (videoId, who) => {
          if (Option.isSome(who.userId)) {
            const user = hash(videoId, "user", String(who.userId.value))
            // Accounts are not created by the dozen: users at a school count separately although they share an address.
            return { viewer: user, address: user }
          }
          const address = clientKey(who.address)
          const viewer =
            trusted && who.sessionId !== undefined
              ? hash(videoId, "session", address, who.sessionId)
              : hash(videoId, "agent", address, who.userAgent ?? "")
          return { viewer, address: hash(videoId, "address", address) }
        }
      })
    })
  )
}
