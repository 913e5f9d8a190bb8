import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { decodeNote, type NoteObject, noteTypes } from "@kinora/federation/objects/NoteObject"
import { decodeVideo, isForSome, type VideoObject } from "@kinora/federation/objects/VideoObject"
import {
  type CreatedComment,
  type CreatedVideo,
  RemoteCreateRows
} from "@kinora/storage/federation/remote/RemoteCreateRows"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { newVideo, ownersAmong } from "./NewVideo.ts"
import { RemoteActors } from "./RemoteActors.ts"
import { isNews } from "./RemoteComments.ts"
import { RemoteVideos } from "./RemoteVideos.ts"

/** Something others have made, as far as it can be written without asking for more. */
export type Creation =
  | { readonly _tag: "Video"; readonly video: VideoObject }
  | { readonly _tag: "Comment"; readonly note: NoteObject }

/** An activity in which its sender, who may say so, has made something. */
export interface SentCreation {
  /** Row of the inbox. */
  readonly row: number
  readonly sender: string
  readonly creation: Creation
}

/** What came of many. */
export interface CreationsApplied {
  /** So many of them, from the first on, were looked at: behind these is one whose people are not known. */
  readonly considered: number
  /** Rows that are done with. */
  readonly rows: ReadonlySet<number>
}

/** Undefined: of another kind, or nothing that may be kept as it is. */
export const creationOf = (object: JsonObject): Creation | undefined => {
  if (object["type"] === "Video") {
    const video = isForSome(object) ? undefined : Result.getOrUndefined(decodeVideo(object))
    return video && { _tag: "Video", video }
  }
  if (!noteTypes.some((it) => it === object["type"])) return undefined
  const note = Result.getOrUndefined(decodeNote(object))
  return note && { _tag: "Comment", note }
}

const peopleOf = ({ creation, sender }: SentCreation): ReadonlyArray<string> => [
  sender,
  ...(creation._tag === "Video" ? creation.video.owners : [creation.note.author])
]

/** Writes many new videos and comments of others at once: what has to be asked for, or is known already, is not its affair. */
export class RemoteCreates extends Context.Service<
  RemoteCreates,
  {
    /**
     * Applies what can be, in the order given, and marks its rows by the same statement. What is not among `rows` afterwards
     * is as it was before.
     */
    readonly apply: (
      host: string,
      sent: ReadonlyArray<SentCreation>
    ) => Effect.Effect<CreationsApplied, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteCreates") {
  static readonly layer = Layer.effect(
    RemoteCreates,
    Effect.gen(function* () {
      const actors = yield* RemoteActors
      const remoteVideos = yield* RemoteVideos
      const rows = yield* RemoteCreateRows

      const apply = Effect.fn("RemoteCreates.apply")(function* (host: string, sent: ReadonlyArray<SentCreation>) {
        const people = yield* actors.knownOf([...new Set(sent.flatMap(peopleOf))])
        const now = yield* Clock.currentTimeMillis
        const videos: Array<CreatedVideo> = []
        const comments: Array<CreatedComment> = []
        const objects = new Map<number, VideoObject>()
        let considered = 0
        for (const one of sent) {
          const found = peopleOf(one).flatMap((url) => people.get(url) ?? [])
          if (found.length < peopleOf(one).length) break
          const { creation, row } = one
          if (creation._tag === "Video") {
            const owners = ownersAmong(found.slice(1))
            if (Result.isFailure(owners)) break
            const { accountId, channelId } = owners.success
            videos.push({ row, account: accountId, channel: channelId, video: newVideo(creation.video) })
            objects.set(row, creation.video)
          } else {
            const { author, id, inReplyTo, published, text, updated } = creation.note
            const account = people.get(author)?.accountId ?? null
            if (account === null) break
            const news = isNews(published, now)
            comments.push({ row, url: id, parent: inReplyTo, account, text, published, updated, news })
          }
          considered++
        }
        if (considered === 0) return { considered, rows: new Set<number>() }
        const applied = yield* rows.apply(host, videos, comments)
        for (const { activity, videoId } of applied) {
          const video = objects.get(activity)
          if (video !== undefined && videoId !== null) yield* remoteVideos.written(video, videoId)
        }
        return { considered, rows: new Set(applied.map(({ activity }) => activity)) }
      })

      return RemoteCreates.of({ apply })
    })
  )
}
