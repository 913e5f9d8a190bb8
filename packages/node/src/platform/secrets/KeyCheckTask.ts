import { SealedRows } from "@kinora/storage/people/two-factor/SealedRows"
import { Duration, Effect, Layer } from "effect"
import { every } from "../supervision/Every.ts"
import { Supervisor } from "../supervision/Supervisor.ts"
import { KeyCheck } from "./KeyCheck.ts"

/** Checks the secret key on start, and once a day so that an error is not forgotten. */
export const KeyCheckTask = Layer.effectDiscard(
  Effect.gen(function* () {
    const supervisor = yield* Supervisor
    const check = yield* KeyCheck
    yield* supervisor.run("secret key", every(Duration.days(1), check.run))
  })
).pipe(Layer.provide(KeyCheck.layer.pipe(Layer.provide(SealedRows.layer))))
