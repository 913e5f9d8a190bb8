import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import type { CurrentUserShape } from "@kinora/domain/users/CurrentUser"
import { NotificationFanOut, type TellingRules } from "@kinora/storage/social/notification/NotificationFanOut"
import { NotificationNotices } from "@kinora/storage/social/notification/NotificationNotices"
import { Duration, Effect, Layer, Option, Queue, Stream } from "effect"
import { Mailer } from "../../platform/mail/Mailer.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { defaultNotifications } from "../../people/user/UserPreferences.ts"
import { decide } from "../../video/list/VideoVisibility.ts"
import { NotificationMailer } from "./NotificationMailer.ts"
import { PushedNotifications } from "./PushedNotifications.ts"

/** Events that failed become due again, and others may have been missed, without a notice. */
const lookEvery = Duration.seconds(5)
const databaseWait = Duration.seconds(1)
/** What was read, or only mailed, is of no use to anybody after half a year; nor is, after a year, what nobody has read. */
const keepDays = 180
const batch = 1000

/** Runs when rung, or after some seconds, for ever; while the database is away it waits. */
const whenRung = (bell: Queue.Queue<void>, work: Effect.Effect<void, DatabaseUnavailable>): Effect.Effect<never> =>
  Effect.andThen(work, Effect.timeoutOption(Queue.take(bell), lookEvery)).pipe(
    Effect.catchTag("DatabaseUnavailable", () => Effect.sleep(databaseWait)),
    Effect.forever
  )

const tasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const mailer = yield* Mailer
    const mails = yield* NotificationMailer
    const fanOut = yield* NotificationFanOut
    const notices = yield* NotificationNotices
    const pushed = yield* PushedNotifications
    const supervisor = yield* Supervisor
    const events = yield* Queue.sliding<void>(1)
    const letters = yield* Queue.sliding<void>(1)

    const rules: TellingRules = {
      ways: defaultNotifications,
      mails: mailer.enabled,
      // Decisions look at nothing else of a user.
      maySee: (video, user) => {
        const decision = decide(video, Option.some(user as CurrentUserShape), "uuid")
        return decision === "open" || decision === "password"
      }
    }

    const hear = Stream.runForEach(notices.heard, (notice) => {
      switch (notice._tag) {
        case "Up":
          return Effect.andThen(Queue.offer(events, undefined), Queue.offer(letters, undefined))
        case "Event":
          return Queue.offer(events, undefined)
        case "Mail":
          return Queue.offer(letters, undefined)
        case "Made":
          return Queue.offer(pushed, notice)
      }
    })

    const tellAll = Effect.gen(function* () {
      while (yield* fanOut.step(rules));
    })

    const forget = Effect.gen(function* () {
      while ((yield* fanOut.forgetOld(keepDays, batch)) === batch);
    })

    yield* supervisor.run(
      "notification notices",
      Effect.andThen(hear, Effect.die("the notices of notifications ended"))
    )
    yield* supervisor.run("telling people", whenRung(events, tellAll))
    yield* supervisor.run("old notifications", every(Duration.hours(1), forget))
    if (mailer.enabled) yield* supervisor.run("mails of notifications", whenRung(letters, mails.sendAll))
  })
)

/** Makes notifications of what happens, mails them, and tells sockets of this node what others made. */
export const NotificationTasks = tasks.pipe(
  Layer.provide(NotificationMailer.layer),
  Layer.provide(NotificationFanOut.layer)
)
