import { UploadBeingFinished, UploadConflict } from "@kinora/domain/errors/UploadErrors"
import { Clock, Context, Deferred, Duration, Effect, Layer } from "effect"

/** A writer that has brought nothing for so long gives way to one that has something to say. */
const idleMillis = Duration.toMillis(Duration.seconds(3))

interface Holder {
  readonly giveWay: Deferred.Deferred<never, UploadConflict>
  readonly released: Deferred.Deferred<void>
  lastSign: number
  finishing: boolean
}

/** What a holder writes about itself, so that others know whether the lock still holds. */
export interface Hold {
  readonly sign: Effect.Effect<void>
  /** From now on the file is complete and being looked at: nobody takes over. */
  readonly finishing: Effect.Effect<void>
}

/**
 * One request at a time per upload. A second one is refused while the first brings bytes; when the first has fallen
 * silent, as after a lost connection nobody noticed, it is ended in good order and the second goes on.
 */
export class UploadLock extends Context.Service<
  UploadLock,
  {
    readonly hold: <A, E, R>(
      id: string,
      use: (hold: Hold) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | UploadConflict | UploadBeingFinished, R>
  }
>()("@kinora/node/uploads/UploadLock") {
  static readonly layer = Layer.sync(UploadLock, () => {
    const holders = new Map<string, Holder>()

    const takeOver = Effect.fnUntraced(function* (id: string) {
      const other = holders.get(id)
      if (other === undefined) return
      if (other.finishing) return yield* new UploadBeingFinished()
      if ((yield* Clock.currentTimeMillis) - other.lastSign < idleMillis) {
        return yield* new UploadConflict({ reason: "Another chunk of this upload is being received" })
      }
      yield* Deferred.fail(other.giveWay, new UploadConflict({ reason: "Another request took this upload over" }))
      yield* Deferred.await(other.released)
    })

    return UploadLock.of({
      hold: (id, use) =>
        Effect.acquireUseRelease(
          Effect.gen(function* () {
            while (holders.has(id)) yield* takeOver(id)
            const holder: Holder = {
              giveWay: yield* Deferred.make<never, UploadConflict>(),
              released: yield* Deferred.make<void>(),
              lastSign: yield* Clock.currentTimeMillis,
              finishing: false
            }
            holders.set(id, holder)
            return holder
          }),
          (holder) =>
            Effect.raceFirst(
              use({
                sign: Effect.map(Clock.currentTimeMillis, (now) => {
                  holder.lastSign = now
                }),
                finishing: Effect.sync(() => {
                  holder.finishing = true
                })
              }),
              Deferred.await(holder.giveWay)
            ),
          (holder) =>
            Effect.suspend(() => {
              holders.delete(id)
              return Deferred.succeed(holder.released, undefined)
            })
        )
    })
  })
}
