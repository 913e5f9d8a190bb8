import { ActivityForbidden, FederationDisabled, SignatureNeeded } from "@kinora/domain/errors/InboxErrors"
import { BadRequest, RateLimited } from "@kinora/domain/errors/RequestErrors"
import { type DatabaseUnavailable, ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { checkActivity, type CheckedActivity, hostOf, originOf } from "@kinora/federation/authority/Authority"
import { type Verified, verifyRequest } from "@kinora/federation/signatures/VerifyRequest"
import type { SignatureRefused } from "@kinora/federation/signatures/SignatureRefused"
import { isObject, type JsonObject } from "@kinora/federation/vocabulary/Json"
import { identifierOf } from "@kinora/federation/vocabulary/Reading"
import type { NewActivity } from "@kinora/storage/federation/inbox/InboxRows"
import { Clock, Context, Effect, Layer, Result } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RemoteActors } from "../remote/RemoteActors.ts"
import { forwardedRow } from "./Forwarded.ts"
import { InboxBacklog } from "./InboxBacklog.ts"
import { isRepeatable } from "./InboxVerbs.ts"
import { InboxWriter } from "./InboxWriter.ts"
import { MutedSenders } from "./MutedSenders.ts"
import { originalOf } from "./Original.ts"
import { readBody } from "./ReceivedBody.ts"
import { recentActivities, recentSignatures } from "./RecentActivities.ts"

/** A request as it came. */
export interface InboxRequest {
  /** Raw path and query. */
  readonly target: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
  /** Whose request it is, by address (of IPv6 the network of 64 bits). */
  readonly client?: string | undefined
}

export type InboxFailure =
  | ActivityForbidden
  | BadRequest
  | DatabaseUnavailable
  | FederationDisabled
  | RateLimited
  | ServiceUnavailable
  | SignatureNeeded

/** When a key cannot be had, and when there is too much to do. */
const retryAfterSeconds = 60

/** The longest id, in bytes, and type that is kept. */
const maxId = 2_000
const maxType = 100

const sha256 = /[A-Za-z0-9+/]{43}=/

/** What the activity claims, read before anything is proved. */
interface Claim {
  readonly id: string
  readonly type: string
  readonly actor: string
  readonly host: string
  readonly object: string | null
  readonly activity: JsonObject
}

const claimOf = (activity: JsonObject): Claim | undefined => {
  const { id, type } = activity
  const actor = identifierOf(activity["actor"])
  if (typeof id !== "string" || typeof type !== "string" || actor === null) return undefined
  if (Buffer.byteLength(id) > maxId || type.length > maxType || type === "" || originOf(actor) === null)
    return undefined
  const object = identifierOf(activity["object"])
  return {
    id,
    type,
    actor,
    host: hostOf(actor),
    object: object !== null && object.length > maxId ? null : object,
    activity
  }
}

/** Whether an activity, or what it is about, may have to be sent on with its signature: a comment, its change, and its end. */
const maySendOn = ({ activity, object, type }: Claim): boolean => {
  if (!isObject(activity["signature"]) || object === null) return false
  if (type === "Delete") return true
  const said = activity["object"]
  return (type === "Create" || type === "Update") && isObject(said) && typeof said["inReplyTo"] === "string"
}

const rowOf = (
  { activity, id, type }: CheckedActivity,
  { actor, host, object }: Claim,
  digest: string,
  original: string | undefined
): NewActivity => ({
  uri: id,
  type,
  host,
  actorUrl: actor,
  object,
  // The signature is of the text as it came, which the database finds beside what was made of it.
  // Nobody else writes that member: left out, it is none.
  body: JSON.stringify({ ...activity, "@original": original }),
  digest,
  repeatable: isRepeatable(type, typeof activity["expires"] === "string")
})

const unsigned = (error: SignatureRefused): InboxFailure => {
  switch (error.status) {
    case 401:
      return new SignatureNeeded({ reason: error.why })
    case 403:
      return new ActivityForbidden({ reason: error.why })
    case 503:
      return new ServiceUnavailable({ reason: error.why, retryAfterSeconds })
  }
}

/** Received activities: checked, stored, and announced to the fibers that apply them. */
export class Inbox extends Context.Service<
  Inbox,
  {
    /**
     * Takes what a request says. When it succeeds, all of it is on the disk, or it is a repetition, or of an actor that is
     * gone and was not known. The cheap checks come first; a key is fetched last (docs/decisions/inbox.md). Answers whether
     * it has proved who sends it: where that would have changed nothing, it was not looked at.
     */
    readonly receive: (request: InboxRequest) => Effect.Effect<boolean, InboxFailure>
  }
>()("@kinora/node/inbox/Inbox") {
  static readonly layer = Layer.effect(
    Inbox,
    Effect.gen(function* () {
      const { derived, federation } = yield* KinoraConfig
      const { host, origin } = { host: new URL(derived.origin).host, origin: derived.origin }
      const actors = yield* RemoteActors
      const backlog = yield* InboxBacklog
      const muted = yield* MutedSenders
      const writer = yield* InboxWriter
      const recent = recentActivities()
      const signatures = recentSignatures()

      /** Whether an actor says that it is gone itself. Nobody can prove it once it is, and of most we never heard. */
      const selfDelete = (claims: ReadonlyArray<Claim>) =>
        claims.every(({ actor, object, type }) => type === "Delete" && object === actor)

      const sender = Effect.fnUntraced(function* (request: InboxRequest, claims: ReadonlyArray<Claim>) {
        const farewell = selfDelete(claims)
        if (farewell && (yield* actors.known(claims[0]!.actor)) === undefined) return undefined
        const verified = verifyRequest({ method: "POST", ...request, host, origin }, actors.key(request.client))
        return yield* Effect.catch(
          Effect.map(verified, (it): Verified | undefined => it),
          (error) => (farewell && error.status !== 401 ? Effect.succeed(undefined) : Effect.fail(unsigned(error)))
        )
      })

      const receive = Effect.fnUntraced(function* (request: InboxRequest) {
        if (!federation.enabled) return yield* new FederationDisabled()
        const { headers } = request
        if (headers["signature"] === undefined && headers["signature-input"] === undefined) {
          return yield* new SignatureNeeded({ reason: "The request is not signed" })
        }
        const read = readBody(request.body)
        if (Result.isFailure(read)) return yield* read.failure
        const claims: Array<Claim> = []
        for (const activity of read.success) {
          const claim = claimOf(activity)
          if (claim === undefined) return yield* new BadRequest({ reason: "An activity needs id, type and actor" })
          if (claim.actor !== (claims[0] ?? claim).actor) {
            return yield* new ActivityForbidden({ reason: "The activities are of different actors" })
          }
          claims.push(claim)
        }
        const { actor, host: from } = claims[0]!
        if (yield* muted.has(from, actor)) return yield* new ActivityForbidden({ reason: "The sender is muted" })
        const digest = sha256.exec(headers["digest"] ?? headers["content-digest"] ?? "")?.[0] ?? ""
        const digestOf = (nth: number) => (claims.length === 1 ? digest : `${digest}${nth}`)
        if (
          digest !== "" &&
          claims.every(({ id, object, type }, nth) => recent.has(id, digestOf(nth), type === "Delete" ? null : object))
        )
          return false
        if (yield* backlog.isFull(from)) return yield* new RateLimited({ retryAfterSeconds })
        const verified = yield* sender(request, claims)
        if (verified === undefined || signatures.has(verified.signature)) return false
        const signer = verified.actor
        yield* actors.proved(signer)
        if (signer !== actor) {
          const via = hostOf(signer)
          if (yield* muted.has(via, signer)) return yield* new ActivityForbidden({ reason: "The sender is muted" })
          if (yield* backlog.isFull(via)) return yield* new RateLimited({ retryAfterSeconds })
        }
        const original = claims.length === 1 && maySendOn(claims[0]!) ? originalOf(request.body) : undefined
        const rows: Array<NewActivity> = []
        for (const [nth, claim] of claims.entries()) {
          const checked = checkActivity(signer, claim.activity, origin)
          const row = Result.isSuccess(checked)
            ? rowOf(checked.success, claim, digestOf(nth), original)
            : forwardedRow(signer, claim, digestOf(nth), origin)
          if (row === undefined) {
            const reason = Result.isFailure(checked) ? checked.failure.why : ""
            return yield* new ActivityForbidden({ reason })
          }
          rows.push(row)
        }
        yield* rows.length === 1
          ? writer.keep(rows[0]!)
          : Effect.forEach(rows, writer.keep, { concurrency: "unbounded", discard: true })
        signatures.add(verified.signature, yield* Clock.currentTimeMillis)
        if (signer !== actor) return true
        for (const [nth, { id, object, type }] of claims.entries()) {
          recent.add(id, digestOf(nth))
          // It may come again as it was.
          if (type === "Undo" && object !== null) recent.forget(object)
          if (type === "Delete" && object !== null) recent.addDeleted(object)
        }
        return true
      })

      return Inbox.of({ receive })
    })
  )
}
