import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { VideoUuid } from "@kinora/domain/ids/VideoUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { ImportItems, KnownVideo } from "@kinora/storage/archive/import/ImportItems"
import { Effect, Option, Schema } from "effect"
import type { VideoAccess } from "../../../video/list/VideoAccess.ts"
import { ArchiveUrl } from "./ImportedFields.ts"

const decode = Schema.decodeUnknownOption(Schema.Struct({ videoUrl: ArchiveUrl }))

/**
 * The video with the URL that an archive gives, if it is known here and the user may see it: an archive gives no access
 * to videos.
 */
export const visibleVideo = Effect.fnUntraced(function* (
  items: ImportItems["Service"],
  access: VideoAccess["Service"],
  user: CurrentUserShape,
  entry: unknown
): Effect.fn.Return<KnownVideo | undefined, DatabaseUnavailable> {
  const decoded = decode(entry)
  const video = Option.isNone(decoded) ? Option.none() : yield* items.video(user.id, decoded.value.videoUrl)
  if (Option.isNone(video)) return undefined
  const id = { _tag: "Uuid", uuid: video.value.uuid as VideoUuid } as const
  const opened = yield* Effect.result(access.open(id, { user: Option.some(user) }))
  if (opened._tag === "Success") return video.value
  return opened.failure._tag === "DatabaseUnavailable" ? yield* opened.failure : undefined
})
