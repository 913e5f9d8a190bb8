import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { JsonObject } from "@kinora/federation/vocabulary/Json"
import { ActivityWrites, type Sender } from "@kinora/storage/federation/outbox/ActivityWrites"
import { type CommentedVideo, CommentPublications } from "@kinora/storage/federation/outbox/CommentPublications"
import { Context, Effect, Layer, Schema } from "effect"
import { createHash } from "node:crypto"
import { type ActivityDraft, lanes } from "./ActivityDraft.ts"
import { ActivitySender, hostOf } from "./ActivitySender.ts"
import type { ReceivedActivity } from "./ReceivedActivity.ts"

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Schema.JsonObject))

/** The context of all is that of the Announce; a signature would be of other words. */
const announced = ({ "@context": _c, "@original": _o, signature: _s, ...rest }: JsonObject): JsonObject => rest

/**
 * Sends what is said below a video. Where channels announce that (FEP-1b12), servers of groups take it from the channel alone:
 * they get the Announce, and all others the activity itself.
 */
export class Conversations extends Context.Service<
  Conversations,
  {
    /** Sends what one of ours says or takes back below a video of ours. */
    readonly send: (
      sender: Sender,
      draft: ActivityDraft,
      video: CommentedVideo
    ) => Effect.Effect<void, DatabaseUnavailable>
    /**
     * Sends on what somebody elsewhere says below a video of ours: as it came, but not back to where it came from, if it has a
     * signature that others can check. `object` is what it is about. Once an activity.
     */
    readonly forward: (
      received: ReceivedActivity,
      object: string,
      video: CommentedVideo
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Has the channel of a video announce something to servers of groups, besides one host. Once for each id. */
    readonly announce: (
      what: {
        readonly uri: string
        readonly payload: JsonObject | string
        readonly thing: string
        readonly lane?: ActivityDraft["lane"]
        readonly besides?: string | undefined
      },
      video: CommentedVideo
    ) => Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/node/outbox/Conversations") {
  static readonly layer = Layer.effect(
    Conversations,
    Effect.gen(function* () {
      const comments = yield* CommentPublications
      const writes = yield* ActivityWrites
      const sender = yield* ActivitySender

      const groupsOf = Effect.fnUntraced(function* (video: CommentedVideo) {
        if (video.isRemote || !video.isPublic || !video.isKnown) return []
        return yield* comments.groupInboxes(video.channelActorId)
      })

      const announce: Conversations["Service"]["announce"] = Effect.fnUntraced(function* (
        { besides, lane = lanes.content, payload, thing, uri },
        video
      ) {
        const groups = (yield* groupsOf(video)).filter((inbox) => hostOf(inbox) !== besides)
        const channel = groups.length === 0 ? undefined : yield* writes.sender(video.channelActorId)
        if (channel === undefined) return
        const announceUri = `${channel.url}/announces/${createHash("md5").update(uri).digest("hex")}`
        if (yield* writes.isKnown(announceUri)) return
        yield* sender.write(
          channel,
          {
            type: "Announce",
            uri: announceUri,
            object: typeof payload === "string" ? payload : announced(payload),
            audience: "public",
            context: "Comment",
            lane,
            thing,
            recipients: { followersOf: [], inboxes: groups }
          },
          groups
        )
      })

      const send: Conversations["Service"]["send"] = Effect.fnUntraced(function* (actor, draft, video) {
        const inboxes = yield* sender.inboxesOf(draft.recipients)
        if (inboxes.length === 0) return
        const groups = new Set(yield* groupsOf(video))
        const activity = yield* sender.write(
          actor,
          draft,
          inboxes.filter((inbox) => !groups.has(inbox))
        )
        if (groups.size === 0) return
        const { object } = activity
        const thing = typeof object === "string" ? object : String(object["id"])
        const { result: _, ...payload } = activity
        yield* announce({ uri: activity.id, payload, thing }, video)
      })

      const forward: Conversations["Service"]["forward"] = Effect.fnUntraced(function* (received, object, video) {
        const { signed, type, uri } = received
        const { channelActorId, instanceActorId, isKnown, isPushed, ownerActorId } = video
        if (signed === null || !(type === "Delete" ? isKnown : isPushed)) return
        const followersOf = [channelActorId, ownerActorId, instanceActorId]
        if (!(yield* writes.hasRemoteFollowers(followersOf))) return
        const besides = hostOf(uri)
        const inboxes = yield* sender.inboxesOf({ followersOf, inboxes: [], besides })
        const instance = yield* writes.sender(instanceActorId)
        if (instance === undefined || (yield* writes.isKnown(uri))) return
        const groups = new Set(yield* groupsOf(video))
        yield* writes.write({
          uri,
          type,
          sender: instance,
          body: "{}",
          context: "Base",
          thing: uri,
          lane: lanes.content,
          inboxes: inboxes.filter((inbox) => !groups.has(inbox)),
          forwarded: signed
        })
        if (groups.size > 0) {
          yield* announce({ uri, payload: yield* Effect.orDie(decode(signed)), thing: object, besides }, video)
        }
      })

      return Conversations.of({ announce, send, forward })
    })
  )
}
