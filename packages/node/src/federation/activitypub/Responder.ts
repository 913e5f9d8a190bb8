import { AccountNotFound, ActorNotFound, VideoChannelNotFound } from "@kinora/domain/errors/ActorErrors"
import { CommentNotFound } from "@kinora/domain/errors/CommentErrors"
import { PlaylistNotFound } from "@kinora/domain/errors/PlaylistErrors"
import { VideoNotFound } from "@kinora/domain/errors/VideoErrors"
import { parseActorHandle } from "@kinora/domain/ids/ActorHandle"
import { parsePlaylistIdOrUuid } from "@kinora/domain/ids/PlaylistIdOrUuid"
import { parseVideoIdOrUuid } from "@kinora/domain/ids/VideoIdOrUuid"
import { ActorObjects } from "@kinora/storage/federation/activitypub/ActorObjects"
import { CommentObjects } from "@kinora/storage/federation/activitypub/CommentObjects"
import { PlaylistObjects } from "@kinora/storage/federation/activitypub/PlaylistObjects"
import { VideoObjects } from "@kinora/storage/federation/activitypub/VideoObjects"
import { Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { ActivityPubResponder } from "./ActivityPubResponder.ts"
import { actorDocument } from "./documents/Actor.ts"
import { noteDocument } from "./documents/Note.ts"
import { playlistDocument, playlistPageDocument } from "./documents/Playlist.ts"
import { makeVideoTexts } from "./VideoTexts.ts"
import { foundResponse, foundText, queryOf, whenFederating } from "./ActivityAnswer.ts"
import { pageSize, readPaging } from "./Paging.ts"

/** The thread that the address of a watch page points to, as in `/w/{id};threadId=7`. */
const threadIn = /;threadid=([1-9]\d{0,8})(?![^?#])/i

type Kind = Parameters<ActivityPubResponder["Service"]["actor"]>[1]

const absentOf: Readonly<Record<Kind, () => AccountNotFound | ActorNotFound | VideoChannelNotFound>> = {
  account: () => new AccountNotFound(),
  channel: () => new VideoChannelNotFound(),
  any: () => new ActorNotFound()
}

/** Objects whose addresses are those of pages. */
export const ResponderLayer = Layer.effect(
  ActivityPubResponder,
  Effect.gen(function* () {
    const videos = yield* VideoObjects
    const comments = yield* CommentObjects
    const playlists = yield* PlaylistObjects
    const actors = yield* ActorObjects
    const federating = yield* whenFederating
    const { host, origin } = (yield* KinoraConfig).derived
    const ownHost = host.toLowerCase()
    const videoText = yield* makeVideoTexts

    const video = Effect.fnUntraced(function* (text: string, url: string) {
      const id = parseVideoIdOrUuid(text)
      if (id === undefined) return yield* new VideoNotFound()
      const thread = threadIn.exec(url)
      if (thread !== null) {
        const comment = yield* comments.note(id, Number(thread[1]))
        return yield* foundResponse("Comment", comment, {
          absent: () => new CommentNotFound(),
          encode: (note) => noteDocument(note, origin)
        })
      }
      return yield* foundText("Video", yield* videos.text(id), {
        absent: () => new VideoNotFound(),
        text: videoText.object
      })
    })

    const playlist = Effect.fnUntraced(function* (text: string, url: string) {
      const { page } = yield* Effect.fromResult(readPaging(queryOf(url)))
      const id = parsePlaylistIdOrUuid(text)
      if (id === undefined) return yield* new PlaylistNotFound()
      const absent = () => new PlaylistNotFound()
      if (page === undefined) {
        return yield* foundResponse("Playlist", yield* playlists.object(id), {
          absent,
          encode: (row) => playlistDocument(row, origin)
        })
      }
      return yield* foundResponse("Playlist", yield* playlists.page(id, page, pageSize), {
        absent,
        encode: (row) => playlistPageDocument(row, { origin, page, size: pageSize })
      })
    })

    const actor = Effect.fnUntraced(function* (text: string, kind: Kind) {
      const absent = absentOf[kind]
      const handle = parseActorHandle(text)
      if (handle === undefined) return yield* absent()
      const found = yield* actors.actor({ name: handle.name, host: handle.host === ownHost ? null : handle.host }, kind)
      return yield* foundResponse("Actor", found, { absent, encode: (row) => actorDocument(row, origin) })
    })

    return ActivityPubResponder.of({
      video: (id, url) => federating(video(id, url)),
      playlist: (id, url) => federating(playlist(id, url)),
      actor: (nameWithHost, kind) => federating(actor(nameWithHost, kind))
    })
  })
)
