import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { originOf, sameOrigin } from "@kinora/federation/authority/Authority"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { decodeNote, type NoteObject, noteTypes } from "@kinora/federation/objects/NoteObject"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import type { NewRemoteComment } from "@kinora/storage/federation/remote/NewRemoteComment"
import { type KeptComment, RemoteCommentRows } from "@kinora/storage/federation/remote/RemoteCommentRows"
import { type KeptVideo, RemoteVideoRows } from "@kinora/storage/federation/remote/RemoteVideoRows"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RemoteActors } from "./RemoteActors.ts"
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
/** Comments older than this, in milliseconds, cause no notifications. */
const newsFor = 2 * 86_400_000

/** Whether people are notified of a comment that is new here. */
const isNews = (published: string | null, now: number): boolean =>
  published === null || now - Date.parse(published) < newsFor

/** Where a chain of replies ends: below a video, or below a comment that is known. */
interface Root {
  readonly video: KeptVideo
  /** Address of the comment. */
  readonly parent: string | null
}

/** A note that may be believed, of somebody who is known. */
export interface SentNote {
  readonly note: NoteObject
  readonly accountId: number
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
    /**
     * Writes notes that are new, in their order and in the caller's transaction: as `upsert` does, below what is known. Answers
     * which were written; for the others somebody has to be asked, or they are refused.
     */
    readonly writeAll: (notes: ReadonlyArray<SentNote>) => Effect.Effect<ReadonlyArray<boolean>, DatabaseUnavailable>
    /** Deletes it as its author would. False when it was not known. */
    readonly remove: (url: string) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/remote/RemoteComments") {
  static readonly layer = Layer.effect(
    RemoteComments,
    Effect.gen(function* () {
      const { derived, video_comments } = yield* KinoraConfig
      const objects = yield* RemoteObjects
      const actors = yield* RemoteActors
      const videos = yield* RemoteVideos
      const videoRows = yield* RemoteVideoRows
      const rows = yield* RemoteCommentRows
      const ours = originOf(derived.origin)!

      const refused = (url: string, why: ObjectRefused["why"], detail: string) =>
        new ObjectRefused({ url, why, detail })

      const read = (object: JsonObject): Effect.Effect<NoteObject, ObjectRefused> => {
        const decoded = decodeNote(object)
        return Result.isSuccess(decoded)
          ? Effect.succeed(decoded.success)
          : Effect.fail(refused(String(object["id"]), "document", decoded.failure.why))
      }

      /** What is known at addresses: where chains end. */
      const rootsAt = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
        const comments = yield* rows.byUrls(urls)
        const above = yield* videoRows.byIds([...new Set(comments.map(({ videoId }) => videoId))])
        const taken = new Set(comments.map(({ url }) => url))
        const others = urls.filter((url) => !taken.has(url))
        const roots = new Map<string, Root>()
        for (const { url, videoId } of comments) {
          const video = above.find(({ id }) => id === videoId)
          if (video !== undefined) roots.set(url, { video, parent: url })
        }
        for (const video of others.length === 0 ? [] : yield* videoRows.byUrls(others)) {
          roots.set(video.url, { video, parent: null })
        }
        // The answer must not reveal anything about a comment that is not for others.
        return new Map([...roots].filter(([, { video }]) => video.federated))
      })

      const known = (url: string) => Effect.map(rootsAt([url]), (roots) => roots.get(url))

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

      /** Whether users of other instances may comment on a video of ours. */
      const isAccepted = (video: KeptVideo): boolean => video.remote || video_comments.accept_remote_comments

      /** Whether it waits to be approved; undefined where its video's instance has to be asked whether it was. */
      const isHeld = ({ accountId, note }: SentNote, video: KeptVideo): boolean | undefined => {
        if (video.commentsPolicy !== 3) return false
        if (!video.remote) return true
        // What the video's own origin has below it, it has let through.
        return accountId === video.accountId || sameOrigin(note.id, video.url) ? false : undefined
      }

      /** A known comment comes with an approval: it may be shown now, or its approval is to be sent to others. Gives whether it is still held. */
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

      const newComment = Effect.fnUntraced(function* ({ accountId, note }: SentNote, root: Root, hold: boolean) {
        const { id: url, published, text, updated } = note
        const news = isNews(published, yield* Clock.currentTimeMillis)
        const { parent, video } = root
        return {
          ...{ url, videoId: video.id, accountId, parent, text, published, updated, hold, news }
        } satisfies NewRemoteComment
      })

      const write = Effect.fnUntraced(function* (note: NoteObject, root: Root) {
        const { accountId } = yield* actors.byUrl(note.author)
        if (accountId === null) return yield* refused(note.id, "document", "a comment of a channel")
        if (!isAccepted(root.video)) return yield* refused(note.id, "document", "comments of others are not accepted")
        const sent = { note, accountId }
        const hold = isHeld(sent, root.video) ?? !(yield* isApproved(note, root.video))
        const { id, outcome } = (yield* rows.addAll([yield* newComment(sent, root, hold)]))[0]!
        if (id === null) return yield* refused(note.id, outcome === "gone" ? "gone" : "document", outcome)
        return {
          id,
          videoId: root.video.id,
          held: outcome === "held",
          added: outcome !== "known"
        } satisfies RemoteComment
      })

      const writeAll = Effect.fnUntraced(function* (notes: ReadonlyArray<SentNote>) {
        const roots = yield* rootsAt([...new Set(notes.map(({ note }) => note.inReplyTo))])
        const comments: Array<NewRemoteComment> = []
        /** Which note each of them is. */
        const places: Array<number> = []
        for (const [nth, sent] of notes.entries()) {
          const root = roots.get(sent.note.inReplyTo)
          const hold = root && isHeld(sent, root.video)
          if (root === undefined || hold === undefined || !isAccepted(root.video)) continue
          places.push(nth)
          comments.push(yield* newComment(sent, root, hold))
          // Those behind it may reply to it.
          if (!roots.has(sent.note.id)) roots.set(sent.note.id, { video: root.video, parent: sent.note.id })
        }
        const added = yield* rows.addAll(comments)
        const written = new Set(
          places.filter((_, nth) => added[nth]!.outcome === "written" || added[nth]!.outcome === "held")
        )
        return notes.map((_, nth) => written.has(nth))
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
            const video = yield* known(object.id)
            if (video === undefined) return yield* refused(note.id, "document", "a reply to nothing")
            return { root: video, chain }
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
          here = { video: root.video, parent: upper.id }
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

      return RemoteComments.of({ byUrl, upsert, writeAll, remove: rows.remove })
    })
  )
}
