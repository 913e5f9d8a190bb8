import { ImportItems, type KnownVideo } from "@kinora/storage/archive/import/ImportItems"
import { Effect, Option, Schema } from "effect"
import { hash } from "node:crypto"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { uuidOf } from "../../../platform/ids/DerivedIds.ts"
import { namedBeside } from "../context/Archive.ts"
import type { ImportContext, SectionImport } from "../context/ImportContext.ts"
import { ArchiveUrl, ArchiveUuid, fieldsOf, given } from "../context/ImportedFields.ts"
import { ImportedParts } from "../context/ImportedParts.ts"
import { ImportedUploads } from "../context/ImportedUploads.ts"

const section = "videos"
const decode = Schema.decodeUnknownEffect(
  Schema.Struct({ uuid: ArchiveUuid, url: ArchiveUrl, isLive: Schema.optionalKey(Schema.Boolean) })
)

/** What is told of a video, as a client that uploads it would say it. */
const told = [
  "name",
  "privacy",
  "category",
  "licence",
  "language",
  "description",
  "support",
  "waitTranscoding",
  "nsfw",
  "nsfwSummary",
  "nsfwFlags",
  "tags",
  "commentsPolicy",
  "downloadEnabled",
  "originallyPublishedAt"
]

/** The upload a video of an archive becomes: the same each time, so that it becomes one video. */
const uploadIdOf = (userId: number, uuid: string): string =>
  hash("sha256", `user import ${userId} ${uuid}`, "hex").slice(0, 48)

/** Videos whose file is in the archive, through the same checks and the same processing as an upload. */
export const importVideos = Effect.gen(function* () {
  const items = yield* ImportItems
  const channels = yield* ChannelRows
  const uploads = yield* ImportedUploads
  const parts = yield* ImportedParts

  const channelOf = Effect.fnUntraced(function* ({ user }: ImportContext, thing: unknown) {
    const name = fieldsOf(fieldsOf(thing)["channel"])["name"]
    const channel = typeof name === "string" ? yield* channels.byHandle({ name, host: null }) : Option.none()
    // A channel of somebody else who has the name here is none of the user's, whatever the archive says.
    return Option.getOrUndefined(Option.filter(channel, ({ accountId }) => accountId === user.accountId))
  })

  const upload = Effect.fnUntraced(function* (context: ImportContext, thing: unknown, uploadId: string) {
    const channel = yield* channelOf(context, thing)
    const files = fieldsOf(fieldsOf(thing)["archiveFiles"])
    const file = namedBeside(files["videoFile"])
    if (channel === undefined || file === undefined || context.archive.size(file) === undefined) return undefined
    if (context.used.has(file)) return undefined
    context.used.add(file)
    const fields = fieldsOf(thing)
    return yield* uploads.bring(context, {
      uploadId,
      file,
      thumbnail: namedBeside(files["thumbnail"]),
      inputFilename: fieldsOf(fields["source"])["inputFilename"],
      request: { ...given(thing, told), channelId: channel.id, videoPasswords: fields["passwords"] ?? [] }
    })
  })

  return {
    section,
    files: ["videos"],
    lists: ["videos"],
    bring: Effect.fnUntraced(function* (context, thing) {
      const { task, user } = context
      const { isLive = false, url, uuid } = yield* decode(thing)
      if (isLive) return "error"
      const uploadId = uploadIdOf(user.id, uuid)
      const there = yield* items.ownVideo(user.accountId, [uuid, uuidOf(uploadId, "video")])
      const made = yield* items.made(user.id, section, url)
      const mine = Option.isSome(made) && made.value.importId === task.importId
      let video: KnownVideo
      if (Option.isSome(there)) {
        video = there.value
        if (!mine) {
          // Playlists and ratings of the archive mean this one.
          if (Option.isNone(made)) yield* items.remember({ ...task, importId: 0 }, section, url, video.id)
          return "duplicate"
        }
      } else {
        // Noted before: should this be begun again, the video is known to be of this import and gets its parts.
        yield* items.remember(task, section, url, null)
        const uploaded = yield* upload(context, thing, uploadId)
        if (uploaded === undefined) return "error"
        video = uploaded
      }
      yield* items.remember(task, section, url, video.id)
      yield* parts.bring(context, video.id, thing)
      return "success"
    })
  } satisfies SectionImport
})
