import { ImportItems, type KnownVideo } from "@kinora/storage/archive/import/ImportItems"
import { Effect, Option, Schema } from "effect"
import { hash } from "node:crypto"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { uuidOf } from "../../../platform/ids/DerivedIds.ts"
import { referencedName } from "../context/Archive.ts"
import type { ImportContext, SectionImport } from "../context/ImportContext.ts"
import { ArchiveUrl, ArchiveUuid, fieldsOf, given } from "../context/ImportedFields.ts"
import { ImportedLives } from "../context/ImportedLives.ts"
import { ImportedParts } from "../context/ImportedParts.ts"
import { ImportedUploads } from "../context/ImportedUploads.ts"

const section = "videos"
const decode = Schema.decodeUnknownEffect(
  Schema.Struct({ uuid: ArchiveUuid, url: ArchiveUrl, isLive: Schema.optionalKey(Schema.Boolean) })
)

/** The fields of a video, as a client that uploads it would send them. */
const uploadFields = [
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

/** The upload id of a video of an archive: always the same, so that a repeated import makes no second video. */
const uploadIdOf = (userId: number, uuid: string): string =>
  hash("sha256", `user import ${userId} ${uuid}`, "hex").slice(0, 48)

/**
 * Videos whose file is in the archive, with the same checks and processing as an upload; and lives that have not ended, which
 * get a new key.
 */
export const importVideos = Effect.gen(function* () {
  const items = yield* ImportItems
  const channels = yield* ChannelRows
  const uploads = yield* ImportedUploads
  const parts = yield* ImportedParts
  const lives = yield* ImportedLives

  const channelOf = Effect.fnUntraced(function* ({ user }: ImportContext, entry: unknown) {
    const name = fieldsOf(fieldsOf(entry)["channel"])["name"]
    const channel = typeof name === "string" ? yield* channels.byHandle({ name, host: null }) : Option.none()
    // A channel of that name that belongs to somebody else is not the user's, whatever the archive says.
    return Option.getOrUndefined(Option.filter(channel, ({ accountId }) => accountId === user.accountId))
  })

  const upload = Effect.fnUntraced(function* (context: ImportContext, entry: unknown, uploadId: string) {
    const channel = yield* channelOf(context, entry)
    const files = fieldsOf(fieldsOf(entry)["archiveFiles"])
    const file = referencedName(files["videoFile"])
    if (channel === undefined || file === undefined || context.archive.size(file) === undefined) return undefined
    if (context.used.has(file)) return undefined
    context.used.add(file)
    const fields = fieldsOf(entry)
    return yield* uploads.upload(context, {
      uploadId,
      file,
      thumbnail: referencedName(files["thumbnail"]),
      inputFilename: fieldsOf(fields["source"])["inputFilename"],
      request: { ...given(entry, uploadFields), channelId: channel.id, videoPasswords: fields["passwords"] ?? [] }
    })
  })

  const createLive = Effect.fnUntraced(function* (context: ImportContext, entry: unknown, uploadId: string) {
    const channel = yield* channelOf(context, entry)
    if (channel === undefined) return undefined
    const fields = fieldsOf(entry)
    return yield* lives.create(context, {
      uuid: uuidOf(uploadId, "video"),
      thumbnail: referencedName(fieldsOf(fields["archiveFiles"])["thumbnail"]),
      entry,
      request: { ...given(entry, uploadFields), channelId: channel.id, videoPasswords: fields["passwords"] ?? [] }
    })
  })

  return {
    section,
    files: ["videos"],
    lists: ["videos"],
    importEntry: Effect.fnUntraced(function* (context, entry) {
      const { task, user } = context
      const { isLive = false, url, uuid } = yield* decode(entry)
      const uploadId = uploadIdOf(user.id, uuid)
      const there = yield* items.ownVideo(user.accountId, [uuid, uuidOf(uploadId, "video")])
      const made = yield* items.made(user.id, section, url)
      const mine = Option.isSome(made) && made.value.importId === task.importId
      let video: KnownVideo
      if (Option.isSome(there)) {
        video = there.value
        if (!mine) {
          // Playlists and ratings of the archive refer to this one.
          if (Option.isNone(made)) yield* items.remember({ ...task, importId: 0 }, section, url, video.id)
          return "duplicate"
        }
      } else {
        // Recorded first: if the import is repeated, the video is known to be from this import and gets its parts.
        yield* items.remember(task, section, url, null)
        const uploaded = yield* isLive ? createLive(context, entry, uploadId) : upload(context, entry, uploadId)
        if (uploaded === undefined) return "error"
        video = uploaded
      }
      yield* items.remember(task, section, url, video.id)
      yield* parts.store(context, video.id, entry)
      return "success"
    })
  } satisfies SectionImport
})
