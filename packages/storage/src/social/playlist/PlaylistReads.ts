import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { PlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import { PlaylistPrivacy } from "@kinora/domain/enums/PlaylistPrivacy"
import type { Json } from "@kinora/domain/wire/Json"
import type { VideoPlaylist } from "@kinora/domain/wire/VideoPlaylist"
import { Context, Effect, Layer, Option } from "effect"
import { type PlaylistFacts, PlaylistRows } from "./PlaylistRows.ts"

/** A playlist that strangers may read, as JSON text (contract: VideoPlaylist). */
export interface OpenPlaylist {
  readonly facts: PlaylistFacts
  readonly body: Json<VideoPlaylist>
}

/** Playlists as strangers read them: for pages, embeds and oEmbed, whose readers bring no access token. */
export class PlaylistReads extends Context.Service<
  PlaylistReads,
  {
    /** A public playlist, or an unlisted one that is named by its UUID; none else. */
    readonly open: (id: PlaylistIdOrUuid) => Effect.Effect<Option.Option<OpenPlaylist>, DatabaseUnavailable>
  }
>()("@kinora/storage/playlists/PlaylistReads") {
  static readonly layer = Layer.effect(
    PlaylistReads,
    Effect.gen(function* () {
      const rows = yield* PlaylistRows
      const isOpen = (facts: PlaylistFacts, id: PlaylistIdOrUuid): boolean =>
        facts.privacy === PlaylistPrivacy.public || (facts.privacy === PlaylistPrivacy.unlisted && id._tag === "Uuid")
      return PlaylistReads.of({
        open: (id) =>
          Effect.map(rows.withBody(id), (found) =>
            Option.flatMap(found, ({ body, ...facts }) =>
              isOpen(facts, id) ? Option.some({ facts, body }) : Option.none()
            )
          )
      })
    })
  )
}
