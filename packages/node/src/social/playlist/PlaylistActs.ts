import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import type { Around } from "@kinora/storage/platform/audit/Around"
import type { PlaylistFacts } from "@kinora/storage/social/playlist/PlaylistRows"
import { PlaylistValueReads } from "@kinora/storage/social/playlist/PlaylistValueReads"
import { Context, Effect, Layer } from "effect"
import { AuditTrail, unaudited } from "../../platform/audit/AuditTrail.ts"
import { worksOnPlaylist } from "./PlaylistRights.ts"

/**
 * Changes playlists with an entry in the audit log where one is due: whoever works on the playlist changes it as their own; who
 * has the right from their role acts as a moderator.
 */
export class PlaylistActs extends Context.Service<
  PlaylistActs,
  {
    readonly change: (user: CurrentUserShape, playlist: PlaylistFacts, action: string) => Around
  }
>()("@kinora/node/social/playlist/PlaylistActs") {
  static readonly layer = Layer.effect(
    PlaylistActs,
    Effect.gen(function* () {
      const audit = yield* AuditTrail
      const values = yield* PlaylistValueReads

      return PlaylistActs.of({
        change: (user, playlist, action) =>
          worksOnPlaylist(playlist, user)
            ? unaudited
            : audit.around(user, {
                domain: "playlist",
                action,
                target: { playlistId: playlist.id, uuid: playlist.uuid, name: playlist.name },
                values: values.of(playlist.id)
              })
      })
    })
  ).pipe(Layer.provide(PlaylistValueReads.layer))
}
