import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { publicAudience } from "@kinora/federation/activities/Audience"
import { encodeActivity, type OutgoingActivity } from "@kinora/federation/activities/OutgoingActivity"
import { ActivityWrites, type Sender } from "@kinora/storage/federation/outbox/ActivityWrites"
import { Context, Effect, Layer } from "effect"
import { KinoraConfig } from "../../../platform/config/Config.ts"
import type { ActivityDraft, Recipients } from "./ActivityDraft.ts"

/** Host of an address; empty where it is none. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? ""

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
    /** The inboxes an activity goes to, each once. */
    readonly inboxesOf: (recipients: Recipients) => Effect.Effect<ReadonlyArray<string>, DatabaseUnavailable>
    /** Writes an activity for these inboxes, and gives it as it is sent. */
    readonly write: (
      sender: Sender,
      draft: ActivityDraft,
      inboxes: ReadonlyArray<string>
    ) => Effect.Effect<OutgoingActivity, DatabaseUnavailable>
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

      const write = Effect.fnUntraced(function* (sender: Sender, draft: ActivityDraft, inboxes: ReadonlyArray<string>) {
        const { audience: _a, context, lane, object, recipients: _r, thing: _t, type, uri: wanted, ...details } = draft
        const uri = yield* writes.freshUri(wanted)
        const activity: OutgoingActivity = {
          type,
          id: uri,
          actor: sender.url,
          object,
          ...audienceOf(draft, sender),
          ...details
        }
        yield* writes.write({
          uri,
          type,
          sender,
          body: encodeActivity(activity),
          context: context ?? "Base",
          thing: thingOf(draft),
          lane,
          inboxes
        })
        return activity
      })

      const sendAs = Effect.fn("ActivitySender.sendAs")(function* (sender: Sender, draft: ActivityDraft) {
        const inboxes = yield* inboxesOf(draft.recipients)
        if (inboxes.length > 0) yield* write(sender, draft, inboxes)
        return inboxes.length
      })

      const send = Effect.fnUntraced(function* (actorId: number, draft: ActivityDraft) {
        const sender = yield* writes.sender(actorId)
        if (sender !== undefined) yield* sendAs(sender, draft)
      })

      return ActivitySender.of({ send, sendAs, inboxesOf, write })
    })
  )
}
