import { toInstant } from "@kinora/domain/fields/Values"
import { ImportItems } from "@kinora/storage/archive/import/ImportItems"
import { Effect, Schema } from "effect"
import { VideoAccess } from "../../../video/list/VideoAccess.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { visibleVideo } from "../context/VisibleVideo.ts"

const instant = Schema.String.check(Schema.makeFilter((text: string) => toInstant(text) !== undefined))
const decode = Schema.decodeUnknownEffect(
  Schema.Struct({
    lastTimecode: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })),
    createdAt: instant,
    updatedAt: instant
  })
)

/** What the user watched, with its times. What is in the history here stays. */
export const importHistory = Effect.gen(function* () {
  const access = yield* VideoAccess
  const items = yield* ImportItems
  return {
    section: "userVideoHistory",
    files: ["video-history", "user-video-history"],
    lists: ["watchedVideos"],
    bring: Effect.fnUntraced(function* ({ user }, thing) {
      const { createdAt, lastTimecode, updatedAt } = yield* decode(thing)
      const video = yield* visibleVideo(items, access, user, thing)
      if (video === undefined) return "error"
      const seconds = Math.floor(lastTimecode)
      return (yield* items.watched(user.id, { videoId: video.id, seconds, createdAt, updatedAt }))
        ? "success"
        : "duplicate"
    })
  } satisfies SectionImport
})
