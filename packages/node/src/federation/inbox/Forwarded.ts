import { originOf, sameOrigin } from "@kinora/federation/authority/Authority"
import { isObject, type JsonObject } from "@kinora/federation/vocabulary/Json"
import { noteTypes } from "@kinora/federation/objects/NoteObject"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import type { NewActivity } from "@kinora/storage/federation/inbox/InboxRows"
import type { RemoteActor } from "@kinora/storage/federation/remote/RemoteActorRows"
import { Effect, Result } from "effect"
import { RemoteComments } from "../remote/RemoteComments.ts"
import { RemoteObjects } from "../remote/RemoteObjects.ts"
import { allowance } from "./verbs/Allowance.ts"
import { type Change, change, fetched, nothing, refuse, type VerbFailure } from "./verbs/Verb.ts"

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
  const claim = activity["object"]
  const inReplyTo = isObject(claim) ? identifierOf(claim["inReplyTo"]) : null
  const body = JSON.stringify({ type, object, inReplyTo })
  const host = new URL(signer).host
  return { uri, type: forwarded, host, actorUrl: signer, object, body, digest, repeatable: true }
}

/** Objects of others that a host which nobody here follows may have us ask for at once, and how many more a minute. */
const hints = { burst: 60, perMinute: 6 }

/**
 * Asks the origin of a comment what it is by now, or whether it is gone, because somebody else says that something happened to it:
 * one whom anybody here follows, or where it is a comment that is known, or an answer below a video that is ours or followed here.
 * Nothing of what they sent is believed.
 */
export const forwardedVerb = Effect.gen(function* () {
  const targets = yield* InboxTargets
  const objects = yield* RemoteObjects
  const comments = yield* RemoteComments
  const mayHint = allowance(hints)

  return Effect.fnUntraced(function* (body: JsonObject, sender: RemoteActor): Effect.fn.Return<Change, VerbFailure> {
    const { inReplyTo, object, type } = body
    if (typeof object !== "string") return yield* refuse("nothing was passed on")
    const kept = yield* targets.kept(object)
    if (type === "Delete" && kept?.kind !== "comment") return nothing
    if (!(yield* targets.isFollowed(sender.serverId))) {
      const concerns =
        kept?.kind === "comment" || (typeof inReplyTo === "string" && (yield* targets.isOfUse(inReplyTo)))
      if (!concerns) return yield* refuse("nobody here follows who passes it on, and it is about nothing here")
      if (!(yield* mayHint(sender.host))) return yield* refuse("too much was passed on by whom nobody here follows")
    }
    const found = objects.fetch(object, { types: noteTypes })
    if (type === "Delete") {
      const there = yield* Effect.result(found)
      if (Result.isSuccess(there)) return nothing
      const { failure } = there
      if (failure._tag !== "ObjectRefused" || failure.why !== "gone") return yield* fetched(Effect.fail(failure))
      return change(Effect.asVoid(comments.remove(object)))
    }
    yield* fetched(comments.upsert(yield* fetched(found)))
    return nothing
  })
})
