import { originOf, sameOrigin } from "@kinora/federation/authority/Authority"
import { isObject, type JsonObject } from "@kinora/federation/vocabulary/Json"
import { noteTypes } from "@kinora/federation/vocabulary/NoteObject"
import { InboxTargets } from "@kinora/storage/inbox/InboxTargets"
import type { NewActivity } from "@kinora/storage/inbox/InboxRows"
import type { RemoteActor } from "@kinora/storage/remote/RemoteActorRows"
import { Effect } from "effect"
import { RemoteComments } from "../remote/RemoteComments.ts"
import { RemoteObjects } from "../remote/RemoteObjects.ts"
import { type Change, change, fetched, nothing, refuse, type VerbFailure } from "./Verb.ts"

/** Type of the rows of what was passed on. */
export const forwarded = "Forwarded"

const passedOn: ReadonlySet<string> = new Set(["Create", "Update", "Delete"])

/** What PostgreSQL takes into an index, with room. */
const maxUri = 2_400

export interface ForwardedClaim {
  readonly id: string
  readonly type: string
  readonly actor: string
  readonly object: string | null
  readonly activity: JsonObject
}

/**
 * The row of an activity of somebody else that `signer` passes on, as PeerTube does with comments on its videos (the mark of
 * it is a linked-data signature, which is not looked at). All that is kept is what to ask its own origin for. Undefined: it
 * is no such thing, but somebody who speaks for another.
 */
export const forwardedRow = (
  signer: string,
  { activity, actor, id, object, type }: ForwardedClaim,
  digest: string,
  ours: string
): NewActivity | undefined => {
  if (!passedOn.has(type) || object === null || !isObject(activity["signature"])) return undefined
  if (sameOrigin(signer, actor) || !sameOrigin(actor, object) || !sameOrigin(actor, id)) return undefined
  if (originOf(object) === ours) return undefined
  const uri = `${signer} forwards ${id}`
  if (Buffer.byteLength(uri) > maxUri) return undefined
  const body = JSON.stringify({ type, object })
  const host = new URL(signer).host
  return { uri, type: forwarded, host, actorUrl: signer, object, body, digest, repeatable: true }
}

/**
 * Asks the origin of a comment what it is by now, or whether it is gone, because somebody whom anybody here follows says that
 * something happened to it. Nothing of what they sent is believed.
 */
export const forwardedVerb = Effect.gen(function* () {
  const targets = yield* InboxTargets
  const objects = yield* RemoteObjects
  const comments = yield* RemoteComments

  return Effect.fnUntraced(function* (body: JsonObject, sender: RemoteActor): Effect.fn.Return<Change, VerbFailure> {
    const { object, type } = body
    if (typeof object !== "string") return yield* refuse("nothing was passed on")
    if (!(yield* targets.isFollowed(sender.serverId))) return yield* refuse("nobody here follows who passes it on")
    const found = objects.fetch(object, { types: [...noteTypes, "Tombstone"] })
    if (type === "Delete") {
      const kept = yield* targets.kept(object)
      if (kept?.kind !== "comment") return nothing
      const gone = yield* Effect.match(found, {
        onSuccess: (it) => it["type"] === "Tombstone",
        onFailure: (error) => error._tag === "ObjectRefused" && error.why === "gone"
      })
      return gone ? change(Effect.asVoid(comments.remove(object))) : nothing
    }
    yield* fetched(comments.upsert(yield* fetched(found)))
    return nothing
  })
})
