import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type { VideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import type { VideoFacts } from "@kinora/storage/video/access/VideoFacts"
import { Effect, Option } from "effect"
import type { PageLanguage } from "./language/PageLanguage.ts"
import { decide, namedBy } from "../video/list/VideoVisibility.ts"

/**
 * What a public page reveals about a video: everything (`public`), everything but not to search engines (`unlisted`),
 * or only that it exists and needs a password (`locked`) or is not ready yet (`pending`).
 */
export type Showing = "public" | "unlisted" | "locked" | "pending"

/**
 * The rule of `VideoVisibility.ts` for pages. Their visitors are always anonymous: browsers send no access token with
 * them. Fails for videos that anonymous visitors may not know of: blocked, private and absent ones.
 */
export const showing = (video: VideoFacts, id: VideoIdOrUuid): Effect.Effect<Showing, VideoNotFound> => {
  switch (decide(video, Option.none(), namedBy(id))) {
    case "open":
      return Effect.succeed(video.privacy === VideoPrivacy.unlisted ? "unlisted" : "public")
    case "password":
      return Effect.succeed("locked")
    case "preparing":
      return Effect.succeed("pending")
    case "login":
    case "forbidden":
    case "hidden":
      return Effect.fail(new VideoNotFound())
  }
}

/** Shown instead of the title if only the existence of the video may be revealed. */
export const standIn = (language: PageLanguage, shown: Showing): string | undefined => {
  const t = language.text("watch")
  return shown === "locked" ? t("protected") : shown === "pending" ? t("preparing") : undefined
}
