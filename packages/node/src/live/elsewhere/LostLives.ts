import { LiveSessions } from "@kinora/storage/live/LiveSessions"
import { Clock, Duration, Effect, Layer, Option } from "effect"
import { aliveSeconds } from "../../platform/cluster/ClusterTimes.ts"
import { Placement } from "../../platform/cluster/Placement.ts"
import { runAs } from "../../platform/cluster/RunAs.ts"
import { every } from "../../platform/supervision/Every.ts"
import { RunningLives } from "../session/RunningLives.ts"
import { LiveSettings } from "../settings/LiveSettings.ts"

const lookEvery = Duration.seconds(5)

/**
 * Ends lives whose node is lost and whose publishers do not come to another one in the time they have: this node goes on with
 * such a session, and ends it as any whose publisher left.
 */
export const lostLives = Layer.effectDiscard(
  Effect.gen(function* () {
    const { several } = yield* Placement
    if (!several) return
    const sessions = yield* LiveSessions
    const lives = yield* RunningLives
    const settings = yield* LiveSettings
    let since = new Map<number, number>()
    const look = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const lost = yield* sessions.orphaned(aliveSeconds)
      since = new Map(lost.map(({ id }) => [id, since.get(id) ?? now]))
      for (const { id, videoId } of lost) {
        if (now - (since.get(id) ?? now) < settings.reconnectGrace) continue
        const adopted = yield* sessions.adopt(videoId, settings.holder, aliveSeconds)
        if (Option.isSome(adopted)) yield* lives.goOn(adopted.value)
      }
    })
    yield* runAs("ingest", "lives of lost nodes", every(lookEvery, look))
  })
).pipe(Layer.provide(LiveSessions.layer))
