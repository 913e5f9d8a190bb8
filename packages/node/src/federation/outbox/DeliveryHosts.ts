import { GuardedPost } from "@kinora/federation/fetch/GuardedPost"
import {
  Deliveries,
  type Delivery,
  type DeliveryPart,
  type DueHost,
  turnMillis
} from "@kinora/storage/federation/outbox/Deliveries"
import type { DeliveryForm, DeliveryHost } from "@kinora/storage/federation/outbox/DeliveryHost"
import { Clock, Context, Duration, Effect, Layer, Option, Random } from "effect"
import { type HostActors, hostActors } from "../../platform/cluster/HostActors.ts"
import { Placement } from "../../platform/cluster/Placement.ts"
import { traced } from "../../platform/observability/Traced.ts"
import { ActivityDocuments } from "./ActivityDocuments.ts"
import { makeAttempt } from "./DeliveryAttempt.ts"
import { chainsOf } from "./DeliveryChains.ts"
import { makeDeliveryPlaces } from "./DeliveryPlaces.ts"
import { deliveryWaitMillis, firstWaitMillis, hostRestMillis } from "./DeliveryPolicy.ts"

/** Deliveries to one host at once, at first and at most: it doubles while the host is fast. */
const mostAtOnce = 8
const fast = Duration.millis(500)
/** Taken from the table for each of them: what was sent and not written off yet when a node dies is sent again. */
const takenForEach = 16
/** Rounds before others get their turn. */
const rounds = 16
/** Hosts worked for at once: most wait for a place then. */
const concurrency = 4_096
/** Hosts of which it is not known whether they answer, at once: all that have a place, and some in waiting. */
const mostDoubtful = 576
/** An actor that has nothing to do is soon forgotten. */
const idle = Duration.seconds(1)

/**
 * Sends each host its deliveries, in order. One actor of the cluster for the follows of a host and one for the
 * rest, which read their part of the table until nothing is due: nobody else sends to that host.
 */
export class DeliveryHosts extends Context.Service<
  DeliveryHosts,
  {
    /**
     * Has the actor of a host look at its table, if it is one of this node: each hears of all. `well`: it is not to be feared
     * that the host does not answer.
     */
    readonly wake: (due: DueHost, well?: boolean) => Effect.Effect<void>
    /** Whether an actor of this node is at it. */
    readonly isBusy: (due: DueHost) => boolean
    /** Whether another host of which that is to be feared may be woken: each holds memory for as long as it is silent. */
    readonly hasRoom: () => boolean
  }
>()("@kinora/node/outbox/DeliveryHosts") {
  static readonly layer = Layer.effect(
    DeliveryHosts,
    Effect.gen(function* () {
      const deliveries = yield* Deliveries
      const documents = yield* ActivityDocuments
      const attempt = makeAttempt(yield* GuardedPost, yield* traced)
      const places = yield* makeDeliveryPlaces
      const placement = yield* Placement
      const busy = new Map<string, boolean>()
      let doubtful = 0
      const nameOf = ({ host, part }: DueHost) => `${part} ${host}`
      const begin = (name: string, well: boolean) => {
        if (busy.has(name)) return
        busy.set(name, well)
        if (!well) doubtful++
      }
      const end = (name: string) => {
        if (busy.get(name) === false) doubtful--
        busy.delete(name)
      }

      /** One turn of a host: what it has learnt of it, and what it has still to write off. */
      interface Turn {
        readonly host: DeliveryHost
        readonly part: DeliveryPart
        form: DeliveryForm
        atOnce: number
        down: boolean
        slow: boolean
        /** Milliseconds since 1970: when the turn has to be kept. */
        keepAt: number
        readonly delivered: Array<string>
      }

      const writeOff = Effect.fnUntraced(function* (turn: Turn) {
        const ids = turn.delivered.splice(0)
        if (ids.length > 0) yield* deliveries.delivered({ host: turn.host.host, ids, form: turn.form })
      })

      /** False: the host is to be left alone, or to another node. */
      const isOurs = Effect.fnUntraced(function* (turn: Turn) {
        const now = yield* Clock.currentTimeMillis
        if (!turn.down && now >= turn.keepAt) {
          turn.keepAt = now + turnMillis
          if (!(yield* deliveries.keepTurn(turn.host.host))) turn.down = true
        }
        return !turn.down
      })

      const failed = Effect.fnUntraced(function* (turn: Turn, delivery: Delivery, error: string) {
        const random = yield* Random.next
        const wait = turn.part === "first" ? firstWaitMillis : deliveryWaitMillis
        yield* deliveries.retry(delivery.id, error, wait(delivery.attempts + 1, random))
      })

      /** Sends one; false: those after it about the same thing have to wait. */
      const send = Effect.fnUntraced(function* (turn: Turn, delivery: Delivery) {
        const activity = yield* documents.of(delivery.activityId)
        if (Option.isNone(activity)) {
          yield* deliveries.drop([delivery.id])
          return true
        }
        const result = yield* places.within(
          turn.part,
          turn.host
        )(
          Effect.flatMap(isOurs(turn), (ours) =>
            ours
              ? Effect.timed(attempt(delivery.inboxUrl, activity.value, turn.form, delivery.attempts))
              : Effect.succeed(undefined)
          )
        )
        if (result === undefined) return false
        const [took, { error, form, status, verdict }] = result
        if (Duration.isGreaterThan(took, fast)) turn.slow = true
        switch (verdict._tag) {
          case "Delivered":
            turn.form = form
            turn.delivered.push(delivery.id)
            return true
          case "Gone":
            yield* deliveries.dropInbox(turn.host.host, delivery.inboxUrl)
            return true
          case "Refused":
            yield* Effect.logInfo(`${delivery.inboxUrl} does not take an activity: ${error}`)
            yield* deliveries.drop([delivery.id])
            return true
          case "Later":
            yield* failed(turn, delivery, error)
            return false
          case "HostRests": {
            turn.down = true
            const random = yield* Random.next
            const since = turn.host.failingSince
            const failingFor = since === null ? 0 : (yield* Clock.currentTimeMillis) - since
            yield* deliveries.hostFailed({
              host: turn.host.host,
              id: delivery.id,
              error,
              status,
              failing: verdict.failing,
              restMillis: verdict.restMillis ?? hostRestMillis(turn.host.failures + 1, failingFor, random),
              waitMillis: firstWaitMillis(delivery.attempts + 1, random)
            })
            return false
          }
        }
      })

      const sendChain = Effect.fnUntraced(function* (turn: Turn, chain: ReadonlyArray<Delivery>) {
        for (const delivery of chain) {
          if (turn.down || !(yield* send(turn, delivery))) return
        }
      })

      /** Sends these; false: the host has to be left alone. */
      const round = Effect.fnUntraced(function* (turn: Turn, due: ReadonlyArray<Delivery>) {
        const { chains, superseded } = chainsOf(due)
        if (superseded.length > 0) yield* deliveries.drop(superseded.map(({ id }) => id))
        turn.slow = false
        yield* Effect.forEach(chains, (chain) => sendChain(turn, chain), {
          concurrency: turn.atOnce,
          discard: true
        }).pipe(Effect.ensuring(Effect.ignore(writeOff(turn))))
        turn.atOnce = turn.slow ? Math.max(1, turn.atOnce >> 1) : Math.min(mostAtOnce, turn.atOnce * 2)
        return !turn.down
      })

      /** True: there may be more. */
      const work = Effect.fnUntraced(function* (host: string, part: DeliveryPart) {
        let turn: Turn | undefined
        for (let i = 0; i < rounds; i++) {
          const keepAt = (yield* Clock.currentTimeMillis) + turnMillis
          const found = yield* deliveries.work({ host, part, limit: (turn?.atOnce ?? 1) * takenForEach })
          if (found.due.length === 0) return false
          turn ??= {
            host: found.host,
            part,
            form: found.host.form ?? "cavage",
            atOnce: 1,
            down: false,
            slow: false,
            keepAt,
            delivered: []
          }
          turn.keepAt = keepAt
          if (!(yield* round(turn, found.due))) return false
        }
        return true
      })

      const actorsOf = Effect.fnUntraced(function* (part: DeliveryPart, name: string) {
        const run = (host: string): Effect.Effect<boolean> =>
          Effect.suspend(() => {
            begin(nameOf({ host, part }), true)
            return work(host, part)
          }).pipe(
            Effect.catchTag("DatabaseUnavailable", () => Effect.succeed(false)),
            Effect.ensuring(Effect.sync(() => end(nameOf({ host, part }))))
          )
        const actors: HostActors = yield* hostActors(
          name,
          (host) => Effect.flatMap(run(host), (more) => (more ? actors.wake(host) : Effect.void)),
          { concurrency, idle }
        )
        return actors
      })

      const first = yield* actorsOf("first", "FirstDeliveries")
      const rest = yield* actorsOf("rest", "Deliveries")
      return DeliveryHosts.of({
        wake: (due, well = true) => {
          const actors = due.part === "first" ? first : rest
          return Effect.suspend(() => {
            if (placement.isElsewhere(due.host)) return Effect.void
            begin(nameOf(due), well)
            return actors.wake(due.host)
          })
        },
        isBusy: (due) => busy.has(nameOf(due)),
        hasRoom: () => doubtful < mostDoubtful
      })
    })
  )
}
