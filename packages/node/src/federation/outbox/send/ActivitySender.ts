import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { publicAudience } from "@kinora/federation/activities/Audience"
import { encodeActivity } from "@kinora/federation/activities/OutgoingActivity"
import { ActivityWrites, type Sender } from "@kinora/storage/federation/outbox/ActivityWrites"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import type { ActivityDraft, Recipients } from "./ActivityDraft.ts"

const hostOf = (inbox: string): string => URL.parse(inbox)?.host ?? ""

const thingOf = ({ object, thing }: ActivityDraft): string | null => {
  if (thing !== undefined) return thing
  if (typeof object === "string") return object
  return typeof object["id"] === "string" ? object["id"] : null
}

const audienceOf = ({ audience }: ActivityDraft, sender: Sender) => {
  switch (audience) {
    case "none":
      return {}
    case "public":
      return publicAudience([], [sender.followersUrl])
    default:
      return audience
  }
}

/** Writes activities of local actors with one delivery for each inbox, in the transaction it is called in. */
export class ActivitySender extends Context.Service<
  ActivitySender,
  {
    /** Nothing is written where there is nobody to deliver to, or the actor is gone. */
    readonly send: (actorId: number, draft: ActivityDraft) => Effect.Effect<void, DatabaseUnavailable>
    /** The same for an actor that may be gone by now. Answers to how many inboxes. */
    readonly sendAs: (sender: Sender, draft: ActivityDraft) => Effect.Effect<number, DatabaseUnavailable>
  }
>()("@kinora/node/outbox/ActivitySender") {
  static readonly layer = Layer.effect(
    ActivitySender,
    Effect.gen(function* () {
      const writes = yield* ActivityWrites
      const { derived } = yield* KinoraConfig

      const inboxesOf = Effect.fnUntraced(function* ({ besides, followersOf, inboxes }: Recipients) {
        const followers = followersOf.length === 0 ? [] : yield* writes.inboxesOfFollowers(followersOf)
        const others = inboxes.filter((inbox) => !["", derived.host].includes(hostOf(inbox)))
        return [...new Set([...followers, ...others])].filter(
          (inbox) => besides === undefined || hostOf(inbox) !== besides
        )
      })

      const sendAs = Effect.fn("ActivitySender.sendAs")(function* (sender: Sender, draft: ActivityDraft) {
        const inboxes = yield* inboxesOf(draft.recipients)
        if (inboxes.length === 0) return 0
        const { expires, inReplyTo, object, result, type } = draft
        const uri = yield* writes.freshUri(draft.uri)
        const body = encodeActivity({
          type,
          id: uri,
          actor: sender.url,
          object,
          ...audienceOf(draft, sender),
          ...(inReplyTo === undefined ? {} : { inReplyTo }),
          ...(expires === undefined ? {} : { expires }),
          ...(result === undefined ? {} : { result })
        })
        yield* writes.write({
          uri,
          type,
          sender,
          body,
          context: draft.context ?? "Base",
          thing: thingOf(draft),
          lane: draft.lane,
          inboxes
        })
        return inboxes.length
      })

      const send = Effect.fnUntraced(function* (actorId: number, draft: ActivityDraft) {
        const sender = yield* writes.sender(actorId)
        if (sender !== undefined) yield* sendAs(sender, draft)
      })

      return ActivitySender.of({ send, sendAs })
    })
  )
}
