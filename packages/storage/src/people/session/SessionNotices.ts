import { PgClient } from "@effect/sql-pg/PgClient"
import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Effect, Layer, Schedule, Stream } from "effect"
import { withDatabaseErrors } from "../../platform/database/Database.ts"
import { listening } from "../../platform/database/Listening.ts"

/** What is heard on the channel of sessions. */
export type SessionNotice =
  /** PostgreSQL was asked to tell of every change from here on. */
  | { readonly kind: "up" }
  /** Changes may be missed from here on. */
  | { readonly kind: "down" }
  /** The channel works; nothing has changed. */
  | { readonly kind: "alive" }
  /** A session of this user ended or was renewed, or what sessions say of the user changed. */
  | { readonly kind: "user"; readonly userId: number }

/** Channel of the triggers on sessions and users; the payload is the user's id, or empty for {@link SessionNotices.ping}. */
const channel = "session"
const userPattern = /^\d{1,10}$/

const up: SessionNotice = { kind: "up" }
const down: SessionNotice = { kind: "down" }
const alive: SessionNotice = { kind: "alive" }

/** What sessions of all nodes are told of each other by PostgreSQL's notices. */
export class SessionNotices extends Context.Service<
  SessionNotices,
  {
    /** Never ends: after an interruption, which is told by `down`, listening begins anew. Holds a connection beside the pool. */
    readonly heard: Stream.Stream<SessionNotice>
    /** Makes every node hear `alive`. */
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

      const heard = listening(sql, channel, up).pipe(
        Stream.map(notice),
        Stream.catch((error) =>
          Stream.fromEffectDrain(Effect.logDebug(`Notices of sessions were interrupted: ${error.message}`))
        ),
        Stream.concat(Stream.make(down)),
        Stream.repeat(Schedule.spaced("1 second"))
      )

      return SessionNotices.of({ heard, ping: withDatabaseErrors(sql.notify(channel, "")) })
    })
  )
}
