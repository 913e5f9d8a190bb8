import { EmbedPrivacyPolicy, embedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { EmbedRows } from "@kinora/storage/video/embed/EmbedRows"
import { Effect } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { EditableVideos } from "../edit/EditableVideos.ts"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { VideoAccess } from "../list/VideoAccess.ts"
import { mayUpdate } from "../list/VideoRights.ts"
import { mayEmbed, siteHost } from "./EmbedRule.ts"

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

/** The endpoints of embed privacy. */
export const layer = apiGroup(
  "videoEmbedPrivacy",
  Effect.fnUntraced(function* (handlers) {
    const { derived } = yield* KinoraConfig
    const access = yield* VideoAccess
    const editable = yield* EditableVideos
    const rows = yield* EmbedRows

    const privacyOf = Effect.fnUntraced(function* (videoId: number) {
      return (yield* rows.find(videoId)) ?? (yield* new VideoNotFound())
    })

    return handlers.handleAll({
      getVideoEmbedPrivacy: ({ params, request }) =>
        answer(
          Effect.gen(function* () {
            const { video } = yield* editable.open(params.id, request)
            const { domains, policy } = yield* privacyOf(video.id)
            return { policy: embedPrivacyPolicy(policy), domains }
          })
        ),
      updateVideoEmbedPrivacy: ({ params, payload, request }) =>
        answer(
          Effect.gen(function* () {
            const { policy } = payload
            const domains = yield* hosts(policy === EmbedPrivacyPolicy.allowlist ? (payload.domains ?? []) : [])
            if (policy === EmbedPrivacyPolicy.allowlist && domains.length === 0) {
              return yield* InvalidParameters.one("domains", "Must name a site for this policy", "body")
            }
            const { user, video } = yield* editable.open(params.id, request)
            if (!(yield* rows.set(video.id, user.accountId, { policy, domains }))) return yield* new VideoNotFound()
          })
        ),
      isVideoEmbedOnDomainAllowed: ({ params, query, request }) =>
        answer(
          Effect.gen(function* () {
            const asked = yield* presentedByViewer(request)
            const host = siteHost(query.domain)
            if (host === undefined) {
              return yield* InvalidParameters.one("domain", "Must be the host of a site", "query", query.domain)
            }
            const video = yield* access.open(params.id, asked)
            const privacy = yield* privacyOf(video.id)
            return {
              domainAllowed: mayEmbed(privacy, host, derived.host),
              userBypassAllowed: mayUpdate(video, asked.user)
            }
          })
        )
    } satisfies Answers<"videoEmbedPrivacy">)
  })
)
