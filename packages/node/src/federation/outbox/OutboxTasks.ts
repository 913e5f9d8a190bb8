import { ChangeNotices } from "@kinora/storage/federation/outbox/ChangeNotices"
import { DeliveryNotices } from "@kinora/storage/federation/outbox/DeliveryNotices"
import { OutgoingActivities } from "@kinora/storage/federation/outbox/OutgoingActivities"
import { OutboxUpkeep } from "@kinora/storage/federation/outbox/OutboxUpkeep"
import { Duration, Effect, Layer, Queue, Stream } from "effect"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { wakeWhenGained } from "../../platform/cluster/Sweeping.ts"
import { every } from "../../platform/supervision/Every.ts"
import { viewerSeconds } from "../../video/view/ViewTasks.ts"
import { DeliveryHosts } from "./DeliveryHosts.ts"
import { Outbox } from "./Outbox.ts"
import { ViewerReports } from "./ViewerReports.ts"

/** Notices that were missed are found within this time. */
const sweepEvery = Duration.seconds(5)
/** So are hosts whose rest is over, and those of a node that died: with its turns, within fifteen seconds. */
const hostsEvery = Duration.seconds(2)
/** A transaction with many deliveries notifies once; several such notifications are handled together. */
const gathered = Duration.millis(50)

/** Makes activities of what has changed, sends what is due, marks changed counters, and removes what is done, under the supervisor. */
export const OutboxTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const { federation } = yield* KinoraConfig
    if (!federation.enabled) return
    const notices = yield* DeliveryNotices
    const activities = yield* OutgoingActivities
    const hosts = yield* DeliveryHosts
    const upkeep = yield* OutboxUpkeep
    const changes = yield* ChangeNotices
    const outbox = yield* Outbox
    const changed = yield* Queue.sliding<void>(1)
    const wakeups = yield* Queue.sliding<void>(1)
    const manyWakeups = yield* Queue.sliding<void>(1)

    const listen = Stream.runForEach(notices.wakeups, (notice) => {
      switch (notice._tag) {
        case "Host":
          return hosts.wake(notice)
        case "Many":
          return Queue.offer(manyWakeups, undefined)
        case "All":
          return Effect.andThen(Queue.offer(manyWakeups, undefined), Queue.offer(wakeups, undefined))
      }
    })
    const expand = Effect.gen(function* () {
      while (yield* activities.expand) yield* Queue.offer(wakeups, undefined)
    })
    /** Wakes hosts as there is room for them; begins anew at a wake-up, since those that are well come first. */
    const sweep = Effect.gen(function* () {
      const due = yield* activities.sweep
      for (const it of due) {
        if (hosts.isBusy(it)) continue
        while (!it.well && !hosts.hasRoom()) {
          if ((yield* Queue.size(wakeups)) > 0) return
          yield* Effect.sleep(gathered)
        }
        yield* hosts.wake(it, it.well)
      }
    })
    const prune = Effect.gen(function* () {
      while (yield* upkeep.prune);
    })

    const listenForChanges = Stream.runForEach(changes.wakeups, () => Queue.offer(changed, undefined))
    yield* runAs(
      "worker",
      "outbox notices",
      Effect.andThen(listenForChanges, Effect.die("the notices of changes ended"))
    )
    yield* runOnce(
      "outbox",
      outbox.process.pipe(
        Effect.catchTag("DatabaseUnavailable", () => Effect.sleep("1 second")),
        Effect.andThen(Effect.timeoutOption(Queue.take(changed), sweepEvery)),
        Effect.forever
      )
    )
    yield* runAs("worker", "delivery notices", Effect.andThen(listen, Effect.die("the notices of deliveries ended")))
    yield* runOnce(
      "deliveries to many",
      expand.pipe(
        Effect.catchTag("DatabaseUnavailable", () => Effect.sleep("1 second")),
        Effect.andThen(Effect.timeoutOption(Queue.take(manyWakeups), sweepEvery)),
        Effect.forever
      )
    )
    yield* runAs(
      "worker",
      "deliveries",
      Effect.andThen(
        wakeWhenGained(wakeups),
        sweep.pipe(
          Effect.catchTag("DatabaseUnavailable", () => Effect.sleep("1 second")),
          Effect.andThen(Effect.timeoutOption(Queue.take(wakeups), hostsEvery)),
          Effect.andThen(Effect.sleep(gathered)),
          Effect.forever
        )
      )
    )
    yield* runOnce("counters for others", every(Duration.seconds(2), upkeep.recount))
    yield* runOnce("viewers for others", every(Duration.minutes(1), (yield* ViewerReports).send(viewerSeconds)))
    yield* runOnce("old activities", every(Duration.hours(1), prune))
  })
)
