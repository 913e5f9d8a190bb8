import { constraints } from "@kinora/domain/enums/Constraints"
import { PlaylistElementNotFound, PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import { BadRequest, InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { VideoForbidden, VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import type {
  PlaylistElementCreate,
  PlaylistElementUpdate,
  PlaylistReorder
} from "@kinora/domain/requests/PlaylistRequests"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { PlaylistElementReads } from "@kinora/storage/social/playlist/PlaylistElementReads"
import { type ElementMissing, PlaylistElements } from "@kinora/storage/social/playlist/PlaylistElements"
import type { PlaylistFacts } from "@kinora/storage/social/playlist/PlaylistRows"
import type { Misplaced } from "@kinora/storage/social/playlist/PlaylistWrites"
import { VideoReads } from "@kinora/storage/video/read/VideoReads"
import { Context, Effect, Layer, Option } from "effect"
import { PlaylistActs } from "./PlaylistActs.ts"
import { decide, type NamedBy, namedBy } from "../../video/list/VideoVisibility.ts"

const { max: mostElements } = constraints.playlist.elements

type Missing = PlaylistNotFound | PlaylistElementNotFound | VideoNotFound

/** The refusal of places that are not there. */
export const outOfPlace = ({ field, most }: Misplaced): InvalidParameters =>
  InvalidParameters.one(field, `Must be at most ${most}`, "body")

const missing = ({ what }: ElementMissing): Missing =>
  what === "playlist"
    ? new PlaylistNotFound()
    : what === "element"
      ? new PlaylistElementNotFound()
      : new VideoNotFound()

const reported = {
  ElementMissing: (error: ElementMissing) => Effect.fail(missing(error)),
  EndsBeforeStart: () =>
    Effect.fail(InvalidParameters.one("stopTimestamp", "Must be later than startTimestamp", "body"))
}

/** What people put into playlists, move and take out. Who may change a playlist is decided before. */
export class PlaylistVideos extends Context.Service<
  PlaylistVideos,
  {
    /**
     * Puts a video the user may see at the end, as often as they like, and gives the element's row id. One that only
     * passwords open may be put in; it is played by who has them.
     */
    readonly add: (
      asker: CurrentUserShape,
      playlist: PlaylistFacts,
      element: PlaylistElementCreate
    ) => Effect.Effect<number, Missing | VideoForbidden | InvalidParameters | BadRequest | DatabaseUnavailable>
    readonly update: (
      asker: CurrentUserShape,
      playlist: PlaylistFacts,
      elementId: number,
      changes: PlaylistElementUpdate
    ) => Effect.Effect<void, Missing | InvalidParameters | DatabaseUnavailable>
    readonly remove: (
      asker: CurrentUserShape,
      playlist: PlaylistFacts,
      elementId: number
    ) => Effect.Effect<void, Missing | DatabaseUnavailable>
    readonly reorder: (
      asker: CurrentUserShape,
      playlist: PlaylistFacts,
      order: PlaylistReorder
    ) => Effect.Effect<void, Missing | InvalidParameters | DatabaseUnavailable>
  }
>()("@kinora/node/playlists/PlaylistVideos") {
  static readonly layer = Layer.effect(
    PlaylistVideos,
    Effect.gen(function* () {
      const elements = yield* PlaylistElements
      const places = yield* PlaylistElementReads
      const reads = yield* VideoReads
      const acts = yield* PlaylistActs

      /**
       * The video, when the user may see it. Clients name videos by row id here: who has watched an unlisted one knows its
       * UUID, while others could find out by counting.
       */
      const visible = Effect.fnUntraced(function* (asker: CurrentUserShape, id: PlaylistElementCreate["videoId"]) {
        const video = yield* reads.access(id)
        const decision = (named: NamedBy) => decide(video, Option.some(asker), named)
        const first = decision(namedBy(id))
        const decided = first === "hidden" && (yield* places.hasWatched(asker.id, video.id)) ? decision("uuid") : first
        switch (decided) {
          case "open":
          case "password":
            return video
          case "login":
          case "forbidden":
            return yield* new VideoForbidden()
          case "hidden":
          case "preparing":
            return yield* new VideoNotFound()
        }
      })

      const add = Effect.fn("PlaylistVideos.add")(function* (
        asker: CurrentUserShape,
        playlist: PlaylistFacts,
        element: PlaylistElementCreate
      ) {
        const { startTimestamp = null, stopTimestamp = null, videoId } = element
        const video = yield* visible(asker, videoId)
        const added = { playlistId: playlist.id, videoId: video.id, startTimestamp, stopTimestamp }
        const around = acts.change(asker, playlist, "add-video")
        return yield* around(elements.add(added, asker.accountId, mostElements)).pipe(
          Effect.catchTags({
            ...reported,
            PlaylistFull: ({ most }) =>
              Effect.fail(new BadRequest({ reason: `A playlist has at most ${most} elements` }))
          })
        )
      })

      const update = Effect.fn("PlaylistVideos.update")(function* (
        asker: CurrentUserShape,
        playlist: PlaylistFacts,
        elementId: number,
        changes: PlaylistElementUpdate
      ) {
        const around = acts.change(asker, playlist, "update-element")
        yield* around(elements.update(playlist.id, elementId, asker.accountId, changes)).pipe(
          Effect.catchTags(reported)
        )
      })

      const remove = Effect.fn("PlaylistVideos.remove")(function* (
        asker: CurrentUserShape,
        playlist: PlaylistFacts,
        elementId: number
      ) {
        const around = acts.change(asker, playlist, "remove-element")
        yield* around(elements.remove(playlist.id, elementId, asker.accountId)).pipe(
          Effect.catchTag("ElementMissing", reported.ElementMissing)
        )
      })

      const reorder = Effect.fn("PlaylistVideos.reorder")(function* (
        asker: CurrentUserShape,
        playlist: PlaylistFacts,
        order: PlaylistReorder
      ) {
        const around = acts.change(asker, playlist, "reorder")
        const moved = { ...order, reorderLength: order.reorderLength ?? 1 }
        yield* around(elements.reorder(playlist.id, asker.accountId, moved)).pipe(
          Effect.catchTags({
            ElementMissing: reported.ElementMissing,
            Misplaced: (wrong) => Effect.fail(outOfPlace(wrong))
          })
        )
      })

      return PlaylistVideos.of({ add, update, remove, reorder })
    })
  )
}
