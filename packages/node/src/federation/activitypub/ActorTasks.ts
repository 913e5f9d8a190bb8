import { ActorMultikeys } from "@kinora/storage/federation/activitypub/ActorMultikeys"
import { InstanceProfile } from "@kinora/storage/federation/activitypub/InstanceProfile"
import { Duration, Effect, Layer } from "effect"
import { KinoraConfig } from "../../platform/config/Config.ts"
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
    const { name, short_description: description } = instance
    yield* Effect.ignore(profile.set({ name, description }), { log: "Warn" })
    const missing = Effect.provideService(makeMissingKeys, ActorMultikeys, yield* ActorMultikeys)
    const all = Effect.gen(function* () {
      while (yield* missing) yield* Effect.sleep(breath)
    })
    yield* supervisor.run("keys of actors", every(lookEvery, all))
  })
).pipe(Layer.provide([ActorMultikeys.layer, InstanceProfile.layer]))
