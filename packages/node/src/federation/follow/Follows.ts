import { FollowNotFound } from "@kinora/domain/errors/FollowErrors"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { type ActorHandle, writtenHandle } from "@kinora/domain/ids/ActorHandle"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { type Answered, FollowRows } from "@kinora/storage/federation/follow/FollowRows"
import { type FollowPolicy, type Judged, ReceivedFollows } from "@kinora/storage/federation/follow/ReceivedFollows"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { withDatabaseErrors } from "@kinora/storage/platform/database/DatabaseErrors"
import { AuditTrail } from "../../platform/audit/AuditTrail.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { FollowJobs } from "./FollowJobs.ts"

/** A Follow that was received, as far as it matters: its id (bounded by whoever decoded it). */
export interface ReceivedFollow {
  readonly id: string
}

/** An actor of another instance by its row, such as a `RemoteActor`. */
export interface Sender {
  readonly id: number
}

/** What an administrator answers a follower of the instance. */
type Answering = (
  user: CurrentUserShape,
  handle: ActorHandle
) => Effect.Effect<void, FollowNotFound | DatabaseUnavailable>

/** What names a follow: the id of its Follow, or the row of who is on our side of it, where the id did not come along. */
export type NamedFollow = string | { readonly localActorId: number }

/**
 * Who follows whom across instances. What the other side is to hear of a change is sent by the triggers of the outbox, in
 * the transaction of the change.
 */
export class Follows extends Context.Service<
  Follows,
  {
    /** Has the instance follow another, or an account or channel: looked up and asked in the background. */
    readonly followHost: (user: CurrentUserShape, host: string) => Effect.Effect<void, DatabaseUnavailable>
    readonly followHandle: (
      user: CurrentUserShape,
      name: string,
      host: string
    ) => Effect.Effect<void, DatabaseUnavailable>
    /** Ends what the instance follows, or stops looking for it. */
    readonly unfollow: (
      user: CurrentUserShape,
      target: { readonly host: string } | { readonly handle: ActorHandle }
    ) => Effect.Effect<void, FollowNotFound | DatabaseUnavailable>
    /** Lets a follower of the instance in; follows it back where the configuration says so. */
    readonly accept: Answering
    /** Refuses a follower of the instance, also when it asks again. */
    readonly reject: Answering
    /** Refuses a follower of the instance, which may ask again. */
    readonly removeFollower: Answering

    /**
     * A Follow came in: accepted, refused, or left to an administrator. None: the target is no actor of ours, or the id is
     * that of another follow.
     */
    readonly received: (
      follow: ReceivedFollow,
      sender: Sender,
      targetActorId: number
    ) => Effect.Effect<Option.Option<Judged["state"]>, DatabaseUnavailable>
    /** An Undo of a Follow, by the id of the Follow or by the actor of ours it was for. False: there was none. */
    readonly undone: (sender: Sender, follow: NamedFollow) => Effect.Effect<boolean, DatabaseUnavailable>
    /**
     * An Accept of one of our Follows: what the actor has published is fetched from now on. False: nothing of the kind was
     * asked of the sender.
     */
    readonly accepted: (sender: Sender, follow: NamedFollow) => Effect.Effect<boolean, DatabaseUnavailable>
    /** A Reject, at once or later. False: nothing of the kind was asked of the sender. */
    readonly rejected: (sender: Sender, follow: NamedFollow) => Effect.Effect<boolean, DatabaseUnavailable>
  }
>()("@kinora/node/follows/Follows") {
  static readonly layer = Layer.effect(
    Follows,
    Effect.gen(function* () {
      const { followers, followings } = yield* KinoraConfig
      const sql = yield* SqlClient
      const rows = yield* FollowRows
      const incoming = yield* ReceivedFollows
      const jobs = yield* FollowJobs
      const audit = yield* AuditTrail
      const policy = (): FollowPolicy => ({
        instance: !followers.instance.enabled ? "closed" : followers.instance.manual_approval ? "manual" : "open",
        channels: followers.channels.enabled ? "open" : "closed"
      })
      const { auto_follow_back: followsBack } = followings.instance

      const inOneTransaction = <A, E>(work: Effect.Effect<A, E>) =>
        withDatabaseErrors(sql.withTransaction(work)) as Effect.Effect<A, E | DatabaseUnavailable>

      /** Only an instance is followed back, never a person who follows one. */
      const followBack = (actorId: number, isInstance: boolean) =>
        followsBack.enabled && isInstance
          ? Effect.asVoid(rows.askForInstance(actorId, { automatic: true }))
          : Effect.void

      const answering = (
        action: string,
        answer: (handle: ActorHandle) => Effect.Effect<Answered, DatabaseUnavailable>,
        then: (answered: NonNullable<Answered>) => Effect.Effect<void, DatabaseUnavailable> = () => Effect.void
      ) =>
        Effect.fnUntraced(function* (user: CurrentUserShape, handle: ActorHandle) {
          const answered = yield* answer(handle)
          if (answered === undefined) return yield* new FollowNotFound()
          yield* then(answered)
          const { after, before } = answered
          if (before === after) return
          yield* audit.record(user, {
            domain: "follower",
            action,
            target: { follower: writtenHandle(handle) },
            before: { state: before },
            ...(after === null ? {} : { after: { state: after } })
          })
        }, inOneTransaction)

      const following = (action: string, target: string) => ({
        domain: "following",
        action,
        target: { following: target }
      })
      const recorded = (user: CurrentUserShape, action: string, target: string) =>
        audit.around(user, following(action, target))

      return Follows.of({
        followHost: (user, host) => recorded(user, "follow", host)(jobs.askHost(host)),
        followHandle: (user, name, host) => recorded(user, "follow", `${name}@${host}`)(jobs.askHandle(name, host)),
        unfollow: Effect.fn("Follows.unfollow")(function* (
          user: CurrentUserShape,
          target: { readonly host: string } | { readonly handle: ActorHandle }
        ) {
          const dropped = yield* jobs.dropForInstance(target)
          const ended = yield* rows.end(target)
          if (!dropped && !ended) return yield* new FollowNotFound()
          yield* audit.record(
            user,
            following("unfollow", "host" in target ? target.host : writtenHandle(target.handle))
          )
        }, inOneTransaction),
        accept: answering("accept", rows.accept, ({ actorId, isApplication }) => followBack(actorId, isApplication)),
        reject: answering("reject", rows.reject),
        removeFollower: answering("remove", rows.remove),

        received: Effect.fn("Follows.received")(function* (
          follow: ReceivedFollow,
          sender: Sender,
          targetActorId: number
        ) {
          const judged = yield* incoming.receive({ uri: follow.id, actorId: sender.id, targetActorId }, policy())
          if (Option.isNone(judged)) return Option.none()
          const { byInstance, ofInstance, state } = judged.value
          if (state === "accepted") yield* followBack(sender.id, ofInstance && byInstance)
          return Option.some(state)
        }, inOneTransaction),
        undone: (sender, follow) =>
          incoming.undo(
            sender.id,
            typeof follow === "string" ? { uri: follow } : { targetActorId: follow.localActorId }
          ),
        accepted: Effect.fn("Follows.accepted")(function* (sender: Sender, follow: NamedFollow) {
          const named = typeof follow === "string" ? { uri: follow } : { actorId: follow.localActorId }
          const answered = yield* incoming.answered(sender.id, named, "accepted")
          if (Option.isNone(answered)) return false
          if (answered.value.changed) yield* jobs.backfill(sender.id)
          return true
        }, inOneTransaction),
        rejected: (sender, follow) =>
          Effect.map(
            incoming.answered(
              sender.id,
              typeof follow === "string" ? { uri: follow } : { actorId: follow.localActorId },
              "rejected"
            ),
            Option.isSome
          )
      })
    })
  )
}
