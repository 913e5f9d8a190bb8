import { EmbedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import type { Forbidden } from "@kinora/domain/errors/AuthErrors"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { UpdateEmbedPrivacy } from "@kinora/domain/requests/EmbedRequests"
import type { CurrentUser } from "@kinora/domain/users/CurrentUser"
import { type EmbedPrivacy, EmbedRows } from "@kinora/storage/video/embed/EmbedRows"
import { Context, Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type AccessRefused, type Presented, VideoAccess } from "../list/VideoAccess.ts"
import { VideoActs } from "../list/VideoActs.ts"
import { mayUpdate } from "../list/VideoRights.ts"
import { mayEmbed, siteHost } from "./EmbedRule.ts"

type Refused = AccessRefused | Forbidden

/** The hosts without duplicates. Texts that browsers would not accept as a host are refused. */
const hosts = Effect.fnUntraced(function* (domains: ReadonlyArray<string>) {
  const found = new Set<string>()
  for (const domain of domains) {
    const host = siteHost(domain)
    if (host === undefined) {
      return yield* InvalidParameters.one("domains", `Must be hosts of sites: ${domain} is none`, "body", domains)
    }
    found.add(host)
  }
  return [...found]
})

const chosen = Effect.fnUntraced(function* ({ domains: given = [], policy }: typeof UpdateEmbedPrivacy.Type) {
  const domains = yield* hosts(policy === EmbedPrivacyPolicy.allowlist ? given : [])
  if (policy === EmbedPrivacyPolicy.allowlist && domains.length === 0) {
    return yield* InvalidParameters.one("domains", "Must name a site for this policy", "body")
  }
  return { policy, domains }
})

/** On which sites videos may be embedded. */
export class EmbedSettings extends Context.Service<
  EmbedSettings,
  {
    /** The choice for a video, for those who may edit it. */
    readonly get: (id: VideoIdOrUuid, request: HttpServerRequest) => Effect.Effect<EmbedPrivacy, Refused, CurrentUser>
    /** Sets it. A list of allowed sites names at least one. */
    readonly set: (
      id: VideoIdOrUuid,
      request: HttpServerRequest,
      change: typeof UpdateEmbedPrivacy.Type
    ) => Effect.Effect<void, Refused | InvalidParameters, CurrentUser>
    /** Whether the site may embed the video, and whether the user may see the video there all the same. */
    readonly allows: (
      id: VideoIdOrUuid,
      presented: Presented,
      domain: string
    ) => Effect.Effect<
      { readonly domainAllowed: boolean; readonly userBypassAllowed: boolean },
      AccessRefused | InvalidParameters
    >
  }
>()("@kinora/node/video/embed/EmbedSettings") {
  static readonly layer = Layer.effect(
    EmbedSettings,
    Effect.gen(function* () {
      const { derived } = yield* KinoraConfig
      const access = yield* VideoAccess
      const editable = yield* EditableVideos
      const rows = yield* EmbedRows
      const acts = yield* VideoActs

      const privacyOf = Effect.fnUntraced(function* (videoId: number) {
        return (yield* rows.find(videoId)) ?? (yield* new VideoNotFound())
      })

      return EmbedSettings.of({
        get: Effect.fn("EmbedSettings.get")(function* (id, request) {
          const { video } = yield* editable.open(id, request)
          return yield* privacyOf(video.id)
        }),
        set: Effect.fn("EmbedSettings.set")(function* (id, request, change) {
          const next = yield* chosen(change)
          const opened = yield* editable.open(id, request)
          const { user, video } = opened
          const around = acts.change(opened, { action: "set-embed-privacy" })
          if (!(yield* around(rows.set(video.id, user.accountId, next)))) return yield* new VideoNotFound()
        }),
        allows: Effect.fn("EmbedSettings.allows")(function* (id, presented, domain) {
          const host = siteHost(domain)
          if (host === undefined) {
            return yield* InvalidParameters.one("domain", "Must be the host of a site", "query", domain)
          }
          const video = yield* access.open(id, presented)
          return {
            domainAllowed: mayEmbed(yield* privacyOf(video.id), host, derived.host),
            userBypassAllowed: mayUpdate(video, presented.user)
          }
        })
      })
    })
  )
}
