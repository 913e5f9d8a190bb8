import { type SessionNotice, SessionNotices } from "@kinora/storage/people/session/SessionNotices"
import { Effect, Layer, PubSub, Schedule, Stream } from "effect"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { AccessTokens } from "./AccessTokens.ts"
import { SessionEvents } from "./SessionEvents.ts"

/**
 * Passes session events of other nodes to `AccessTokens`. It also sends an event of its own every other second, to show
 * that the channel works.
 */
export const SessionListener = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const notices = yield* SessionNotices
    const tokens = yield* AccessTokens
    const events = yield* SessionEvents
    const handle = (notice: SessionNotice) => Effect.andThen(tokens.handle(notice), PubSub.publish(events, notice))
    // A failed ping needs no handling: if the database is unavailable, notifications stop too.
    const ping = Effect.catchTag(notices.ping, "DatabaseUnavailable", (error) => Effect.logDebug(error.message))
    const listen = Stream.runForEach(notices.events, (notice) =>
      notice.kind === "up" ? Effect.andThen(handle(notice), ping) : handle(notice)
    )
    const run = Effect.raceFirst(listen, Effect.repeat(ping, Schedule.spaced("2 seconds"))).pipe(
      Effect.andThen(Effect.die("notices of sessions ended")),
      Effect.ensuring(tokens.handle({ kind: "down" }))
    )
    yield* supervisor.run("session notices", run)
  })
)
