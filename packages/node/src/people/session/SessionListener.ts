import { type SessionNotice, SessionNotices } from "@kinora/storage/people/session/SessionNotices"
import { Effect, Layer, PubSub, Schedule, Stream } from "effect"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { HeardSessions } from "./HeardSessions.ts"

/** Tells `AccessTokens` of what other nodes do, and, by a notice of its own every other second, that it would. */
export const SessionListener = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const notices = yield* SessionNotices
    const tokens = yield* AccessTokens
    const heard = yield* HeardSessions
    const heed = (notice: SessionNotice) => Effect.andThen(tokens.heed(notice), PubSub.publish(heard, notice))
    // A database that is away takes the notices with it: nothing more is to be done about a ping that fails.
    const ping = Effect.catchTag(notices.ping, "DatabaseUnavailable", (error) => Effect.logDebug(error.message))
    const listen = Stream.runForEach(notices.heard, (notice) =>
      notice.kind === "up" ? Effect.andThen(heed(notice), ping) : heed(notice)
    )
    const run = Effect.raceFirst(listen, Effect.repeat(ping, Schedule.spaced("2 seconds"))).pipe(
      Effect.andThen(Effect.die("notices of sessions ended")),
      Effect.ensuring(tokens.heed({ kind: "down" }))
    )
    yield* supervisor.run("session notices", run)
  })
)
