import { EmbedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import { EmbedNotAllowed } from "@kinora/domain/errors/VideoErrors"
import type { VideoDetails } from "@kinora/domain/wire/Video"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { mayEmbed, refererHost } from "../video/embed/EmbedRule.ts"
import type { PageVideos } from "./PageVideos.ts"

/** The only sites that may embed the video. Undefined if all may. Fails on a page of another site. */
export const embedSites = Effect.fnUntraced(function* (
  videos: PageVideos["Service"],
  video: VideoDetails,
  origin: string
) {
  if (video.embedPrivacyPolicy.id === EmbedPrivacyPolicy.allAllowed) return undefined
  const privacy = yield* videos.embedPrivacy(video.id)
  const request = yield* HttpServerRequest.HttpServerRequest
  const host = refererHost(request.headers["referer"])
  if (host === undefined || !mayEmbed(privacy, host, new URL(origin).host)) return yield* new EmbedNotAllowed()
  return privacy.domains
})

/** Response headers of an embed page if not all sites may embed it. */
export const framedOnly = (framedBy: ReadonlyArray<string> | undefined) =>
  framedBy === undefined ? {} : { headers: { vary: "Referer", "cache-control": "private, no-store" } }
