import { InboxUpkeep } from "@kinora/storage/federation/inbox/InboxUpkeep"
import { Clock, Duration, Effect, Queue } from "effect"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"

/** A host that sends all the time is looked at once in this time. */
const again = Duration.toMillis(Duration.minutes(1))
const most = 10_000

/**
 * Hosts that have sent us something live: what is to be delivered to them need not wait until their rest is over. Behind those who
 * are answered, since a host may have much waiting for it.
 */
export const respondingHosts = Effect.gen(function* () {
  const upkeep = yield* InboxUpkeep
  const supervisor = yield* Supervisor
  const queue = yield* Queue.sliding<string>(most)
  // In the order they were looked at.
  const looked = new Map<string, number>()

  const retry = Effect.flatMap(Queue.take(queue), (host) =>
    Effect.catchTag(upkeep.retryDelivery(host), "DatabaseUnavailable", (error) =>
      Effect.logDebug(`Deliveries to ${host} keep their rest`, error)
    )
  )
  yield* supervisor.run("responding hosts", Effect.forever(retry))

  return Effect.fnUntraced(function* (hosts: Iterable<string>) {
    const now = yield* Clock.currentTimeMillis
    for (const [host, at] of looked) {
      if (now - at < again && looked.size <= most) break
      looked.delete(host)
    }
    for (const host of hosts) {
      if (looked.has(host)) continue
      looked.set(host, now)
      Queue.offerUnsafe(queue, host)
    }
  })
})
