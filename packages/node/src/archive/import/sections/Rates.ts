import { ImportItems } from "@kinora/storage/archive/import/ImportItems"
import { MyUserReads } from "@kinora/storage/people/user/MyUserReads"
import { Effect } from "effect"
import { Rates } from "../../../social/rating/Rates.ts"
import { VideoAccess } from "../../../video/list/VideoAccess.ts"
import type { SectionImport } from "../context/ImportContext.ts"
import { visibleVideo } from "../context/VisibleVideo.ts"

const importRates = (section: "likes" | "dislikes", rating: "like" | "dislike") =>
  Effect.gen(function* () {
    const access = yield* VideoAccess
    const items = yield* ImportItems
    const reads = yield* MyUserReads
    const rates = yield* Rates
    return {
      section,
      files: [section],
      lists: [section],
      importEntry: Effect.fnUntraced(function* ({ user }, entry) {
        const video = yield* visibleVideo(items, access, user, entry)
        if (video === undefined) return "error"
        // A rating that the user already gave here stays, whatever the archive has.
        if ((yield* reads.rating(user.accountId, video.id)) !== undefined) return "duplicate"
        yield* rates.set(user.accountId, video.id, rating)
        return "success"
      })
    } satisfies SectionImport
  })

/** Likes, for videos that are known here. */
export const importLikes = importRates("likes", "like")
/** Dislikes, for videos that are known here. */
export const importDislikes = importRates("dislikes", "dislike")
