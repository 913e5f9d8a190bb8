import { ActorMultikeys } from "@kinora/storage/federation/activitypub/ActorMultikeys"
import { InstanceProfile } from "@kinora/storage/federation/activitypub/InstanceProfile"
import { Duration, Effect, Layer, PubSub } from "effect"
import { runOnce } from "../../platform/cluster/Placement.ts"
import { KinoraConfig } from "../../platform/config/Config.ts"
import { RuntimeConfig } from "../../platform/config/RuntimeConfig.ts"
import { every } from "../../platform/supervision/Every.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { makeMissingKeys } from "./MissingKeys.ts"

const lookEvery = Duration.hours(1)
/** Between one batch and the next. */
const breath = Duration.seconds(1)

/** What actors of this instance say of themselves beyond what people write, kept up to date under the supervisor. */
export const actorTasks = Layer.effectDiscard(
  Effect.gen(function* () {
    const { instance } = yield* KinoraConfig
    const supervisor = yield* Supervisor
    const profile = yield* InstanceProfile
    const { changes } = yield* RuntimeConfig
    const introduce = Effect.suspend(() => {
      const { name, short_description: description } = instance
      return Effect.ignore(profile.set({ name, description }), {
        log: "Warn",
        message: "The profile of the instance could not be written"
      })
    })
    yield* introduce
    const introduceAgain = Effect.scoped(
      Effect.gen(function* () {
        const changed = yield* changes
        for (;;) {
          yield* introduce
          yield* PubSub.take(changed)
        }
      })
    )
    const missing = Effect.provideService(makeMissingKeys, ActorMultikeys, yield* ActorMultikeys)
    const all = Effect.gen(function* () {
      while (yield* missing) yield* Effect.sleep(breath)
    })
    yield* supervisor.run("profile of the instance", introduceAgain)
    yield* runOnce("keys of actors", every(lookEvery, all))
  })
).pipe(Layer.provide([ActorMultikeys.layer, InstanceProfile.layer]))
