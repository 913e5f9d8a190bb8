import { PgClient } from "@effect/sql-pg/PgClient"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { listening } from "../../platform/database/Listening.ts"

/** An event of the session channel. */
export type SessionNotice =
  /** PostgreSQL will report every change from here on. */
  | { readonly kind: "up" }
  /** Changes may be missed from here on. */
  | { readonly kind: "down" }
  /** The channel works; nothing has changed. */
  | { readonly kind: "alive" }
  /** A session of this user ended or was renewed, or data of the user that sessions contain has changed. */
  | { readonly kind: "user"; readonly userId: number }

/**
 * Channel of the triggers on sessions and users. The payload is the user's id, or empty for {@link
 * SessionNotices.ping}.
 */
const channel = "session"
const userPattern = /^\d{1,10}$/

const up: SessionNotice = { kind: "up" }
const down: SessionNotice = { kind: "down" }
const alive: SessionNotice = { kind: "alive" }

/** Session changes on all nodes, through PostgreSQL notifications. */
export class SessionNotices extends Context.Service<
  SessionNotices,
  {
    /** Never ends: after an interruption, reported as `down`, it listens again. Holds a connection outside the pool. */
    readonly events: Stream.Stream<SessionNotice>
    /** Sends `alive` to every node. */
    readonly ping: Effect.Effect<void, DatabaseUnavailable>
  }
>()("@kinora/storage/sessions/SessionNotices") {
  static readonly layer = Layer.effect(
    SessionNotices,
    Effect.gen(function* () {
      const sql = yield* PgClient

      const notice = (payload: string | SessionNotice): SessionNotice => {
        if (typeof payload !== "string") return payload
        return userPattern.test(payload) ? { kind: "user", userId: Number(payload) } : alive
      }

      const events = listening(sql, channel, up).pipe(
        Stream.map(notice),
        Stream.catch((error) =>
          Stream.fromEffectDrain(
            Effect.logDebug(`The connection that listens for session changes was interrupted: ${error.message}`)
          )
        ),
        Stream.concat(Stream.make(down)),
        Stream.repeat(Schedule.spaced("1 second"))
      )

      return SessionNotices.of({ events, ping: withDatabaseErrors(sql.notify(channel, "")) })
    })
  )
}
