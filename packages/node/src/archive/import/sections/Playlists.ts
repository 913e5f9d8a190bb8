import { constraints } from "@kinora/domain/enums/Constraints"
import { PlaylistType } from "@kinora/domain/enums/PlaylistType"
import type { VideoUuid } from "@kinora/domain/ids/VideoUuid"
import { decodePlaylistCreate } from "@kinora/domain/requests/PlaylistRequests"
import { ChannelRows } from "@kinora/storage/people/channel/ChannelRows"
import { type PlaylistFacts, PlaylistRows } from "@kinora/storage/social/playlist/PlaylistRows"
import { ImportItems } from "@kinora/storage/archive/import/ImportItems"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Playlists } from "../../../social/playlist/Playlists.ts"
import type { ImportContext, SectionImport } from "../context/ImportContext.ts"
import { ArchiveUrl, fieldsOf, given } from "../context/ImportedFields.ts"
import { takePicture } from "../context/ImportPictures.ts"

const section = "videoPlaylists"
const seconds = Schema.optional(
  Schema.NullOr(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 2_147_483_647 })))
)
const Told = Schema.Struct({
  url: ArchiveUrl,
  type: Schema.Literals([PlaylistType.regular, PlaylistType.watchLater]),
  elements: Schema.Array(
    Schema.Struct({ videoUrl: ArchiveUrl, startTimestamp: seconds, stopTimestamp: seconds })
  ).check(Schema.isMaxLength(constraints.playlist.elements.max))
})
const decode = Schema.decodeUnknownEffect(Told)
type Element = (typeof Told.Type)["elements"][number]

const whole = (value: number | null | undefined): number | null =>
  value === null || value === undefined ? null : Math.floor(value)

/** Playlists, in their order, with those of their videos that are known here and that the user may see. */
export const importPlaylists = Effect.gen(function* () {
  const sql = yield* SqlClient
  const channels = yield* ChannelRows
  const rows = yield* PlaylistRows
  const playlists = yield* Playlists
  const items = yield* ImportItems

  const create = Effect.fnUntraced(function* ({ task, user }: ImportContext, entry: unknown, url: string) {
    const name = fieldsOf(fieldsOf(entry)["channel"])["name"]
    const channel = typeof name === "string" ? yield* channels.byHandle({ name, host: null }) : Option.none()
    const own = Option.filter(channel, ({ accountId }) => accountId === user.accountId)
    const request = yield* decodePlaylistCreate({
      ...given(entry, ["displayName", "description", "privacy"]),
      ...(Option.isSome(own) ? { videoChannelId: own.value.id } : {})
    })
    return yield* Effect.gen(function* () {
      const { id } = yield* playlists.create(user, request)
      yield* items.remember(task, section, url, id)
      return id
    }).pipe(sql.withTransaction, withDatabaseErrors)
  })

  const fill = Effect.fnUntraced(function* (
    { task, user }: ImportContext,
    playlist: PlaylistFacts,
    element: Element,
    source: string
  ) {
    if (Option.isSome(yield* items.made(user.id, `${section} element`, source))) return
    const video = yield* items.video(user.id, element.videoUrl)
    if (Option.isNone(video)) return
    if (playlist.type === PlaylistType.watchLater && (yield* items.inPlaylist(playlist.id, video.value.id))) return
    yield* Effect.gen(function* () {
      const elementId = yield* playlists.addVideo(user, playlist, {
        videoId: { _tag: "Uuid", uuid: video.value.uuid as VideoUuid },
        startTimestamp: whole(element.startTimestamp),
        stopTimestamp: whole(element.stopTimestamp)
      })
      yield* items.remember(task, `${section} element`, source, elementId)
    }).pipe(
      sql.withTransaction,
      withDatabaseErrors,
      Effect.catchIf(
        (error) => error._tag !== "DatabaseUnavailable",
        // A video the user may not see is left out, like an unknown one.
        () => Effect.void
      )
    )
  })

  const factsOf = (id: number) => rows.facts({ _tag: "Id", id: id as never })

  return {
    section,
    files: ["video-playlists"],
    lists: ["videoPlaylists"],
    importEntry: Effect.fnUntraced(function* (context, entry) {
      const { task, user } = context
      const { elements, type, url } = yield* decode(entry)
      const made = yield* items.made(user.id, section, url)
      const known =
        Option.isSome(made) && made.value.targetId !== null ? yield* factsOf(made.value.targetId) : Option.none()
      const isLater = type === PlaylistType.watchLater
      if (Option.isSome(known) && Option.isSome(made) && made.value.importId !== task.importId && !isLater) {
        return "duplicate"
      }
      const id = isLater
        ? yield* items.watchLater(user.accountId)
        : Option.isSome(known)
          ? known.value.id
          : yield* create(context, entry, url)
      const playlist = id === undefined ? Option.none() : yield* factsOf(id)
      if (Option.isNone(playlist)) return "error"
      const picture = isLater
        ? undefined
        : yield* takePicture(context, fieldsOf(fieldsOf(entry)["archiveFiles"])["thumbnail"])
      if (picture !== undefined)
        yield* Effect.ignore(playlists.update(user, playlist.value, {}, picture), {
          log: "Info",
          message: "The picture of a playlist was not imported"
        })
      for (const [index, element] of elements.entries()) {
        yield* fill(context, playlist.value, element, `${id} ${url} ${index}`)
      }
      return "success"
    })
  } satisfies SectionImport
})
