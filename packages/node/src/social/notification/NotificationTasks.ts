import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { NotificationUpkeep } from "@kinora/storage/social/notification/NotificationUpkeep"
import { NotificationWakeups } from "@kinora/storage/social/notification/NotificationWakeups"
import type { NotificationWays } from "@kinora/storage/social/notification/NotificationWrites"
import { Duration, Effect, Layer, Queue, Stream } from "effect"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { defaultNotifications } from "../../people/user/UserPreferences.ts"
import { NotificationFanOut } from "./NotificationFanOut.ts"
import { NotificationMailer } from "./NotificationMailer.ts"
import { PushedNotifications } from "./PushedNotifications.ts"

/** Events that failed become due again, and wakeups may have been missed. */
const pollEvery = Duration.seconds(5)
const databaseWait = Duration.seconds(1)
/** What was read, or only mailed, is of no use to anybody after half a year; nor is, after a year, what nobody has read. */
const keepDays = 180
const batch = 1000

/** Works when woken, or after some seconds, for ever; while the database is away it waits. */
const whenWoken = (wakeups: Queue.Queue<void>, work: Effect.Effect<void, DatabaseUnavailable>): Effect.Effect<never> =>
  Effect.andThen(work, Effect.timeoutOption(Queue.take(wakeups), pollEvery)).pipe(
    Effect.catchTag("DatabaseUnavailable", () => Effect.sleep(databaseWait)),
    Effect.forever
  )

const tasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Mailer
    const mails = yield* NotificationMailer
    const fanOut = yield* NotificationFanOut
    const upkeep = yield* NotificationUpkeep
    const wakeups = yield* NotificationWakeups
    const pushed = yield* PushedNotifications
    const supervisor = yield* Supervisor
    const eventWakeups = yield* Queue.sliding<void>(1)
    const mailWakeups = yield* Queue.sliding<void>(1)

    const ways: NotificationWays = { defaults: defaultNotifications, mails: mailer.enabled }

    const listen = Stream.runForEach(wakeups.stream, (wakeup) => {
      switch (wakeup._tag) {
        case "Up":
          return Effect.andThen(Queue.offer(eventWakeups, undefined), Queue.offer(mailWakeups, undefined))
        case "Event":
          return Queue.offer(eventWakeups, undefined)
        case "Mail":
          return Queue.offer(mailWakeups, undefined)
        case "Made":
          return Queue.offer(pushed, wakeup)
      }
    })

    const notifyAll = Effect.gen(function* () {
      while (yield* fanOut.step(ways));
    })

    const deleteOld = Effect.gen(function* () {
      while ((yield* upkeep.deleteOld(keepDays, batch)) === batch);
    })

    yield* supervisor.run(
      "notification wakeups",
      Effect.andThen(listen, Effect.die("the wakeups of notifications ended"))
    )
    yield* runOnce("notifications", whenWoken(eventWakeups, notifyAll))
    yield* runOnce("old notifications", every(Duration.hours(1), deleteOld))
    if (mailer.enabled) yield* runOnce("mails of notifications", whenWoken(mailWakeups, mails.sendAll))
  })
)

/** Makes notifications of what happens, mails them, and has sockets of this node push what others made. */
export const NotificationTasks = tasks.pipe(
  Layer.provide(NotificationMailer.layer),
  Layer.provide(NotificationFanOut.layer),
  Layer.provide(NotificationUpkeep.layer)
)
