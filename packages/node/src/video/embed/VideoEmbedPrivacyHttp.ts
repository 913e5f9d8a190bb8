import { embedPrivacyPolicy } from "@kinora/domain/enums/EmbedPrivacyPolicy"
import { Effect } from "effect"
import { type Answers, answer } from "../../platform/http/Answer.ts"
import { apiGroup } from "../../platform/http/ApiGroup.ts"
import { presentedByViewer } from "../list/Presented.ts"
import { EmbedSettings } from "./EmbedSettings.ts"

/** The endpoints of embed privacy. */
export const layer = apiGroup(
  "videoEmbedPrivacy",
  Effect.fnUntraced(function* (handlers) {
    const settings = yield* EmbedSettings
    return handlers.handleAll({
      getVideoEmbedPrivacy: ({ params, request }) =>
        answer(
          Effect.map(settings.get(params.id, request), ({ domains, policy }) => ({
            policy: embedPrivacyPolicy(policy),
            domains
          }))
        ),
      updateVideoEmbedPrivacy: ({ params, payload, request }) => answer(settings.set(params.id, request, payload)),
      isVideoEmbedOnDomainAllowed: ({ params, query, request }) =>
        answer(Effect.flatMap(presentedByViewer(request), (asked) => settings.allows(params.id, asked, query.domain)))
    } satisfies Answers<"videoEmbedPrivacy">)
  })
)
