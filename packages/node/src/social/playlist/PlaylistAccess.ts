import { Forbidden, UnauthorizedRequest } from "@kinora/domain/errors/AuthErrors"
import { PlaylistForbidden, PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type PlaylistFacts, PlaylistRows, type PlaylistWithBody } from "@kinora/storage/social/playlist/PlaylistRows"
import { Context, Effect, Layer, Option } from "effect"
import { decidePlaylist, mayRemovePlaylist, mayUpdatePlaylist } from "./PlaylistRights.ts"

type Asker = Option.Option<CurrentUserShape>

export type PlaylistRefused = PlaylistNotFound | PlaylistForbidden | UnauthorizedRequest | DatabaseUnavailable

/** Lets a request see or change a playlist, or says why not (`PlaylistRights` has the rule). */
export class PlaylistAccess extends Context.Service<
  PlaylistAccess,
  {
    readonly open: (id: PlaylistIdOrUuid, user: Asker) => Effect.Effect<PlaylistFacts, PlaylistRefused>
    /** The same with its answer. */
    readonly read: (id: PlaylistIdOrUuid, user: Asker) => Effect.Effect<PlaylistWithBody, PlaylistRefused>
    /** The playlist, when the user may change or remove it. */
    readonly manage: (
      id: PlaylistIdOrUuid,
      user: CurrentUserShape,
      action: "update" | "remove"
    ) => Effect.Effect<PlaylistFacts, PlaylistRefused | Forbidden>
  }
>()("@kinora/node/playlists/PlaylistAccess") {
  static readonly layer = Layer.effect(
    PlaylistAccess,
    Effect.gen(function* () {
      const rows = yield* PlaylistRows

      const check = Effect.fnUntraced(function* <P extends PlaylistFacts>(
        found: Option.Option<P>,
        user: Asker,
        id: PlaylistIdOrUuid
      ): Effect.fn.Return<P, PlaylistRefused> {
        if (Option.isNone(found)) return yield* new PlaylistNotFound()
        switch (decidePlaylist(found.value, user, id)) {
          case "open":
            return found.value
          case "login":
            return yield* new UnauthorizedRequest()
          case "forbidden":
            return yield* new PlaylistForbidden()
          case "hidden":
            return yield* new PlaylistNotFound()
        }
      })

      const open = Effect.fnUntraced(function* (id: PlaylistIdOrUuid, user: Asker) {
        return yield* check(yield* rows.facts(id), user, id)
      })

      const read = Effect.fnUntraced(function* (id: PlaylistIdOrUuid, user: Asker) {
        return yield* check(yield* rows.withBody(id), user, id)
      })

      const manage = Effect.fnUntraced(function* (
        id: PlaylistIdOrUuid,
        user: CurrentUserShape,
        action: "update" | "remove"
      ) {
        const playlist = yield* open(id, Option.some(user))
        if (playlist.remote) return yield* new Forbidden({ reason: "This playlist belongs to another instance" })
        const may = action === "update" ? mayUpdatePlaylist : mayRemovePlaylist
        if (may(playlist, user)) return playlist
        return yield* new Forbidden({
          reason: "Only its owner and collaborators of its channel may do this to a playlist"
        })
      })

      return PlaylistAccess.of({ open, read, manage })
    })
  )
}
