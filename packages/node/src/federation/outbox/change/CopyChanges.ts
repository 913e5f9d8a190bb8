import { cacheFile } from "@kinora/federation/activities/CacheFile"
import { ActivityWrites } from "@kinora/storage/federation/outbox/ActivityWrites"
import { CopyPublications } from "@kinora/storage/federation/outbox/CopyPublications"
import { DateTime, Effect, Schema } from "effect"
import { createActivity } from "../activity/Create.ts"
import { updateActivity } from "../activity/Update.ts"
import { lanes } from "../send/ActivityDraft.ts"
import { ActivitySender } from "../send/ActivitySender.ts"
import { type ChangeHandler, detailsOf } from "./ChangeHandler.ts"

const Removed = Schema.Struct({
  state: Schema.Literal("removed"),
  url: Schema.String,
  actorId: Schema.Int,
  videoUrl: Schema.String,
  baseUrl: Schema.String,
  expires: Schema.NullOr(Schema.String),
  inbox: Schema.NullOr(Schema.String)
})

const details = detailsOf(
  Schema.Struct({
    after: Schema.Union([Removed, Schema.Struct({ state: Schema.Literals(["made", "extended"]) })])
  })
)

const recipientsOf = (inbox: string | null) => ({ followersOf: [], inboxes: inbox === null ? [] : [inbox] })

/** Copies of videos elsewhere that this instance serves: the instance of the video hears of each. */
export const copyChanges = Effect.gen(function* () {
  const copies = yield* CopyPublications
  const writes = yield* ActivityWrites
  const sender = yield* ActivitySender

  const removed = Effect.fnUntraced(function* (copy: typeof Removed.Type) {
    const actor = yield* writes.sender(copy.actorId)
    if (actor === undefined) return
    yield* sender.sendAs(actor, {
      type: "Undo",
      uri: `${copy.url}/undo`,
      object: { type: "Create", id: `${copy.url}/activity`, actor: actor.url, object: cacheFile(copy) },
      audience: "public",
      context: "CacheFile",
      lane: lanes.content,
      thing: copy.url,
      recipients: recipientsOf(copy.inbox)
    })
  })

  const handle: ChangeHandler = Effect.fn("copyChanges")(function* (change) {
    const { after } = yield* details(change)
    if (after.state === "removed") return yield* removed(after)
    const copy = yield* copies.of(change.thingId)
    if (copy === undefined) return
    const rest = { object: cacheFile(copy), context: "CacheFile", recipients: recipientsOf(copy.inbox) } as const
    const draft =
      after.state === "made"
        ? createActivity(`${copy.url}/activity`, rest)
        : updateActivity(copy.url, { ...rest, now: yield* DateTime.now })
    yield* sender.send(copy.actorId, draft)
  })
  return handle
})
