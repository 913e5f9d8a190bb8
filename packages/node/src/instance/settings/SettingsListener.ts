import { SettingNotices } from "@kinora/storage/instance/settings/SettingNotices"
import { Effect, Layer, Schedule, Stream } from "effect"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { Appearance } from "../appearance/Appearance.ts"
import { CustomSettings } from "./CustomSettings.ts"

/**
 * Makes settings and pictures that an administrator changed on another node hold on this one. The first notice comes as soon as it
 * listens, so what changed before is not missed.
 */
export const SettingsListener = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const { changes } = yield* SettingNotices
    const settings = yield* CustomSettings
    const appearance = yield* Appearance
    // While the database is away what was loaded last holds.
    const load = Effect.andThen(settings.load, appearance.load).pipe(Effect.retry(Schedule.spaced("1 second")))
    const listen = Stream.runForEach(changes, () => load).pipe(Effect.andThen(Effect.die("notices of settings ended")))
    yield* supervisor.run("settings", listen)
  })
).pipe(Layer.provide(SettingNotices.layer))
