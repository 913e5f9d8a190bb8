import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { decodeNote, type NoteObject, noteTypes } from "@kinora/federation/objects/NoteObject"
import { decodeVideo, isForSome, type VideoObject } from "@kinora/federation/objects/VideoObject"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { InboxRows } from "@kinora/storage/federation/inbox/InboxRows"
import { Effect, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ownersAmong } from "../remote/NewVideo.ts"
import { RemoteActors } from "../remote/RemoteActors.ts"
import { RemoteComments, type SentNote } from "../remote/RemoteComments.ts"
import { RemoteVideos, type SentVideo } from "../remote/RemoteVideos.ts"

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
  /** So many of them, from the first on, were looked at. */
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

type Rowed<A> = A & { readonly row: number }

/** What may go together: of people who are known, and each video once. */
interface Together {
  readonly considered: number
  readonly videos: ReadonlyArray<Rowed<SentVideo>>
  readonly notes: ReadonlyArray<Rowed<SentNote>>
}

/**
 * Writes what others have made, many at a time, by what also writes one: videos before comments, and the rows' new state in the
 * same transaction. What has to be asked for, or is refused, is as it was before, for whoever applies activities one by one.
 */
export const creations = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* InboxRows
  const actors = yield* RemoteActors
  const videos = yield* RemoteVideos
  const comments = yield* RemoteComments

  const together = Effect.fnUntraced(function* (sent: ReadonlyArray<SentCreation>) {
    const people = yield* actors.knownOf([...new Set(sent.flatMap(peopleOf))])
    const found: { videos: Array<Rowed<SentVideo>>; notes: Array<Rowed<SentNote>> } = { videos: [], notes: [] }
    const urls = new Set<string>()
    let considered = 0
    for (const one of sent) {
      const owners = peopleOf(one).flatMap((url) => people.get(url) ?? [])
      if (owners.length < peopleOf(one).length) break
      const { creation, row } = one
      if (creation._tag === "Video") {
        const owner = ownersAmong(owners.slice(1))
        if (Result.isFailure(owner) || urls.has(creation.video.id)) break
        urls.add(creation.video.id)
        found.videos.push({ row, video: creation.video, owner: owner.success })
      } else {
        const accountId = people.get(creation.note.author)?.accountId ?? null
        if (accountId === null) break
        found.notes.push({ row, note: creation.note, accountId })
      }
      considered++
    }
    return { considered, ...found } satisfies Together
  })

  const write = Effect.fnUntraced(
    function* (host: string, { notes, videos: sent }: Together) {
      const claimed = yield* rows.claimAll(
        host,
        [...sent, ...notes].map(({ row }) => row)
      )
      const waiting = sent.filter(({ row }) => claimed.has(row))
      const replies = notes.filter(({ row }) => claimed.has(row))
      const found = yield* videos.writeAll(waiting)
      const written = waiting.flatMap(({ row, video }, nth) => {
        const as = found[nth]
        return as === undefined ? [] : [{ row, video, as }]
      })
      const said = yield* comments.writeAll(replies)
      const done = [...written.map(({ row }) => row), ...replies.flatMap(({ row }, nth) => (said[nth] ? [row] : []))]
      if (done.length > 0) yield* rows.applied(done)
      return { written, done: new Set(done) }
    },
    sql.withTransaction,
    withDatabaseErrors
  )

  return Effect.fn("Creations.apply")(function* (
    host: string,
    sent: ReadonlyArray<SentCreation>
  ): Effect.fn.Return<CreationsApplied, DatabaseUnavailable> {
    const found = yield* together(sent)
    const { considered } = found
    if (considered === 0) return { considered, rows: new Set() }
    const { done, written } = yield* write(host, found)
    for (const { as, video } of written) yield* videos.written(video, as)
    return { considered, rows: done }
  })
})
