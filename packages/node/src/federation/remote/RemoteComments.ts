import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { originOf, sameOrigin } from "@kinora/federation/authority/Authority"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { decodeNote, type NoteObject, noteTypes } from "@kinora/federation/objects/NoteObject"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import { withDatabaseErrors } from "@kinora/storage/platform/database/Database"
import { NotificationEvents } from "@kinora/storage/social/notification/NotificationEvents"
import { type KeptComment, RemoteCommentRows } from "@kinora/storage/federation/remote/RemoteCommentRows"
import { type KeptVideo, RemoteVideoRows } from "@kinora/storage/federation/remote/RemoteVideoRows"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { type RemoteActor, RemoteActors } from "./RemoteActors.ts"
import { ObjectRefused, ObjectUnavailable, type RemoteFailure } from "./RemoteErrors.ts"
import { type FetchedObject, RemoteObjects } from "./RemoteObjects.ts"
import { RemoteVideos } from "./RemoteVideos.ts"

export interface RemoteComment {
  readonly id: number
  readonly videoId: number
  /** It waits until somebody of the video approves it. */
  readonly held: boolean
  /** This call wrote it: false when it was known before. */
  readonly added: boolean
}

/** Comments above one another that are fetched for one (contract: collections.maxCommentRecursion). */
const maxChain = 100
/** Milliseconds for all of them. */
const maxMillis = 60_000
const maxBytes = 256 * 1024
/** What was said longer ago, in milliseconds, is told to nobody as news. */
const newsFor = 2 * 86_400_000

/** Whether people are told of a comment that is new here. */
export const isNews = (published: string | null, now: number): boolean =>
  published === null || now - Date.parse(published) < newsFor

/** Where a chain of replies ends: below a video, or below a comment that is known. */
interface Root {
  readonly video: KeptVideo
  readonly parent: KeptComment | null
}

/** Comments of people of other instances, below videos of ours and of others. */
export class RemoteComments extends Context.Service<
  RemoteComments,
  {
    /**
     * The comment at an address: as it is kept, or fetched together with those it replies to, up to 100 of them, as far as
     * the video. Refused where that leads to no video, in a circle, or further than that (corpus AP-30).
     */
    readonly byUrl: (url: string) => Effect.Effect<RemoteComment, RemoteFailure>
    /** A Note that may be believed: written, or its text replaced. Fetches what it replies to as `byUrl` does. */
    readonly upsert: (note: JsonObject) => Effect.Effect<RemoteComment, RemoteFailure>
    /** Deletes it as its author would. False when it was not known. */
    readonly remove: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteComments") {
  static readonly layer = Layer.effect(
    RemoteComments,
    Effect.gen(function* () {
      const { derived } = yield* KinoraConfig
      const sql = yield* SqlClient
      const objects = yield* RemoteObjects
      const actors = yield* RemoteActors
      const videos = yield* RemoteVideos
      const videoRows = yield* RemoteVideoRows
      const rows = yield* RemoteCommentRows
      const events = yield* NotificationEvents
      const ours = originOf(derived.origin)!

      const refused = (url: string, why: ObjectRefused["why"], detail: string) =>
        new ObjectRefused({ url, why, detail })

      const read = (object: JsonObject): Effect.Effect<NoteObject, ObjectRefused> => {
        const decoded = decodeNote(object)
        return Result.isSuccess(decoded)
          ? Effect.succeed(decoded.success)
          : Effect.fail(refused(String(object["id"]), "document", decoded.failure.why))
      }

      const videoOf = Effect.fnUntraced(function* (url: string) {
        const video = yield* videoRows.byUrl(url)
        // Of what is not for others, nothing is to be told by the answer either.
        return video?.federated === true ? video : undefined
      })

      /** What is known at an address: the end of a chain. */
      const known = Effect.fnUntraced(function* (url: string): Effect.fn.Return<Root | undefined, RemoteFailure> {
        const comment = yield* rows.byUrl(url)
        if (comment !== undefined) {
          const video = yield* videoRows.byId(comment.videoId)
          return video?.federated === true ? { video, parent: comment } : undefined
        }
        const video = yield* videoOf(url)
        return video === undefined ? undefined : { video, parent: null }
      })

      /** Whoever the video belongs to has let it through: asked of their own origin. */
      const isApproved = Effect.fnUntraced(function* (note: NoteObject, video: KeptVideo) {
        const { replyApproval } = note
        if (replyApproval === null || !sameOrigin(replyApproval, video.url)) return false
        const approval = yield* Effect.result(objects.fetch(replyApproval, { types: ["ApproveReply"], maxBytes }))
        if (Result.isFailure(approval)) return false
        const { actor, id, object } = approval.success
        const by = identifierOf(actor)
        // The address may lead on to what somebody else wrote.
        return (
          sameOrigin(id, video.url) &&
          identifierOf(object) === note.id &&
          (by === video.accountUrl || by === video.channelUrl)
        )
      })

      const mustWait = Effect.fnUntraced(function* (note: NoteObject, author: RemoteActor, video: KeptVideo) {
        if (video.commentsPolicy !== 3) return false
        if (!video.remote) return true
        // What the video's own origin has below it, it has let through.
        return (
          author.accountId !== video.accountId && !sameOrigin(note.id, video.url) && !(yield* isApproved(note, video))
        )
      })

      /** A known comment comes with an approval: it may be shown now, or others may be told that it is. Gives whether it is still held. */
      const letIn = Effect.fnUntraced(function* (note: NoteObject, kept: KeptComment) {
        const video = note.replyApproval === null ? undefined : yield* videoRows.byId(kept.videoId)
        if (video === undefined || note.replyApproval === null) return kept.held
        if (!video.remote) {
          if (!kept.held) yield* rows.forward(kept.id, note.replyApproval)
          return kept.held
        }
        if (!kept.held || !(yield* isApproved(note, video))) return kept.held
        yield* rows.approve(kept.id)
        return false
      })

      const add = Effect.fnUntraced(
        function* (note: NoteObject, accountId: number, root: Root, hold: boolean) {
          const { id: url, published, text, updated } = note
          const parentId = root.parent?.id ?? null
          const { video } = root
          const { id, outcome } = yield* rows.add({
            ...{ url, videoId: video.id, accountId, parentId, text, published, updated, hold }
          })
          const told = isNews(published, yield* Clock.currentTimeMillis)
          if (outcome !== "known" && id !== null && told) yield* events.record({ _tag: "NewComment", commentId: id })
          return { id, outcome }
        },
        sql.withTransaction,
        withDatabaseErrors
      )

      const write = Effect.fnUntraced(function* (note: NoteObject, root: Root) {
        const author = yield* actors.byUrl(note.author)
        if (author.accountId === null) return yield* refused(note.id, "document", "a comment of a channel")
        const hold = yield* mustWait(note, author, root.video)
        const { id, outcome } = yield* add(note, author.accountId, root, hold)
        if (id === null) return yield* refused(note.id, outcome === "gone" ? "gone" : "document", outcome)
        return {
          id,
          videoId: root.video.id,
          held: outcome === "held",
          added: outcome !== "known"
        } satisfies RemoteComment
      })

      /** The end of the chain above a note, and the notes on the way, the nearest to the end last. */
      const above = Effect.fnUntraced(function* (note: NoteObject) {
        const chain: Array<NoteObject> = []
        const visited = new Set([note.id])
        let address = note.inReplyTo
        for (;;) {
          const root = yield* known(address)
          if (root !== undefined) return { root, chain }
          if (originOf(address) === ours) return yield* refused(note.id, "document", "a reply to nothing of ours")
          if (visited.has(address)) return yield* refused(note.id, "document", "replies in a circle")
          if (chain.length >= maxChain) return yield* refused(note.id, "document", "too many replies above")
          if (yield* rows.isGone(address)) return yield* refused(note.id, "document", "a reply to what was deleted")
          visited.add(address)
          const object: FetchedObject = yield* objects.fetch(address, { types: [...noteTypes, "Video"] })
          if (object["type"] === "Video") {
            yield* videos.upsert(object)
            const video = yield* videoOf(object.id)
            if (video === undefined) return yield* refused(note.id, "document", "a reply to nothing")
            return { root: { video, parent: null } satisfies Root, chain }
          }
          const next = yield* read(object)
          visited.add(next.id)
          chain.push(next)
          address = next.inReplyTo
        }
      })

      const place = Effect.fnUntraced(function* (note: NoteObject) {
        const { chain, root } = yield* above(note)
        let here: Root = root
        for (const upper of chain.reverse()) {
          yield* write(upper, here)
          const parent = yield* rows.byUrl(upper.id)
          if (parent === undefined) return yield* refused(note.id, "document", "a reply to nothing")
          here = { video: root.video, parent }
        }
        return yield* write(note, here)
      })

      const late = (url: string) =>
        new ObjectUnavailable({ url, detail: "too slow", retryAfterMillis: maxMillis, asked: true })

      const upsert = Effect.fn("RemoteComments.upsert")(function* (
        object: JsonObject
      ): Effect.fn.Return<RemoteComment, RemoteFailure> {
        const note = yield* read(object)
        if (originOf(note.id) === ours) return yield* refused(note.id, "address", "of this instance")
        const kept = yield* rows.byUrl(note.id)
        if (kept === undefined) {
          if (yield* rows.isGone(note.id)) return yield* refused(note.id, "gone", "deleted")
          return yield* place(note).pipe(
            Effect.timeoutOrElse({ duration: maxMillis, orElse: () => Effect.fail(late(note.id)) })
          )
        }
        if (kept.deleted) return { id: kept.id, videoId: kept.videoId, held: kept.held, added: false }
        if (kept.accountUrl !== note.author) return yield* refused(note.id, "authority", "of somebody else")
        yield* rows.edit(kept.id, note.text, note.updated)
        return { id: kept.id, videoId: kept.videoId, held: yield* letIn(note, kept), added: false }
      })

      const byUrl = Effect.fn("RemoteComments.byUrl")(function* (url: string) {
        const kept = yield* rows.byUrl(url)
        if (kept !== undefined) return { id: kept.id, videoId: kept.videoId, held: kept.held, added: false }
        if (yield* rows.isGone(url)) return yield* refused(url, "gone", "deleted")
        return yield* upsert(yield* objects.fetch(url, { types: noteTypes, maxBytes }))
      })

      return RemoteComments.of({ byUrl, upsert, remove: rows.remove })
    })
  )
}
