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

/** Watched videos, with their dates. Existing history stays. */
export const importHistory = Effect.gen(function* () {
  const access = yield* VideoAccess
  const items = yield* ImportItems
  return {
    section: "userVideoHistory",
    files: ["video-history", "user-video-history"],
    lists: ["watchedVideos"],
    importEntry: Effect.fnUntraced(function* ({ user }, entry) {
      const { createdAt, lastTimecode, updatedAt } = yield* decode(entry)
      const video = yield* visibleVideo(items, access, user, entry)
      if (video === undefined) return "error"
      const seconds = Math.floor(lastTimecode)
      return (yield* items.watched(user.id, { videoId: video.id, seconds, createdAt, updatedAt }))
        ? "success"
        : "duplicate"
    })
  } satisfies SectionImport
})
