import type { DatabaseUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { UploadBeingFinished, UploadConflict } from "@kinora/domain/errors/UploadErrors"
import { UploadHolds } from "@kinora/storage/video/upload/UploadHolds"
import { Clock, Context, Deferred, Duration, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"

/** A writer that has brought nothing for so long gives way to one that has something to say. */
const idleMillis = Duration.toMillis(Duration.seconds(3))
/** How long other nodes respect a writer that does not renew its hold: as after its node was killed. */
const holdFor = Duration.seconds(5)
const renewEvery = Duration.seconds(1)
/** How often a request looks whether the writer on another node lives. */
const lookEvery = Duration.millis(250)

interface Holder {
  readonly giveWay: Deferred.Deferred<never, UploadConflict>
  readonly released: Deferred.Deferred<void>
  readonly token: string
  lastSign: number
  finishing: boolean
}

/** What a holder writes about itself, so that others know whether the lock still holds. */
export interface Hold {
  /** Names this request among those that may write to the upload. */
  readonly token: string
  readonly sign: Effect.Effect<void>
  /** From now on the file is complete and being looked at: nobody takes over. */
  readonly finishing: Effect.Effect<void, DatabaseUnavailable>
}

const conflict = (reason: string) => new UploadConflict({ reason })
const beingReceived = () => conflict("Another chunk of this upload is being received")
const takenOver = () => conflict("Another request took this upload over")

const make = Effect.gen(function* () {
  const holds = yield* UploadHolds
  /** Requests to this node. */
  const holders = new Map<string, Holder>()

  const replaceSilent = Effect.fnUntraced(function* (id: string) {
    const other = holders.get(id)
    if (other === undefined) return
    if (other.finishing) return yield* new UploadBeingFinished()
    if ((yield* Clock.currentTimeMillis) - other.lastSign < idleMillis) return yield* beingReceived()
    yield* Deferred.fail(other.giveWay, takenOver())
    yield* Deferred.await(other.released)
  })

  /** Among all nodes: one that renews its hold is refused for, and one that is silent is waited for. */
  const takeAmongNodes = Effect.fnUntraced(function* (id: string, token: string) {
    let seen: number | undefined
    for (;;) {
      const answer = yield* holds.take(id, token, holdFor)
      // Of an upload that is gone, the request finds out by itself.
      if (answer === "held" || answer === "gone") return
      if (answer.isFinishing) return yield* new UploadBeingFinished()
      const until = answer.until.getTime()
      if (seen !== undefined && seen !== until) return yield* beingReceived()
      seen = until
      yield* Effect.sleep(lookEvery)
    }
  })

  /** Renews the hold for as long as bytes come, or the file is looked at. Ends the holder when another has taken it. */
  const renewing = (id: string, holder: Holder) =>
    Effect.gen(function* () {
      const isSilent = (yield* Clock.currentTimeMillis) - holder.lastSign >= idleMillis
      if (isSilent && !holder.finishing) return
      const isMine = yield* holds.renew(id, holder.token, holdFor, holder.finishing)
      if (!isMine && !holder.finishing) yield* Deferred.fail(holder.giveWay, takenOver())
    }).pipe(
      Effect.ignore({ log: "Warn", message: "The hold of an upload could not be renewed" }),
      Effect.delay(renewEvery),
      Effect.forever
    )

  const release = (id: string, holder: Holder) =>
    holds.release(id, holder.token).pipe(
      Effect.ignore({ log: "Warn", message: "The hold of an upload could not be released; it ends by itself" }),
      Effect.andThen(
        Effect.suspend(() => {
          holders.delete(id)
          return Deferred.succeed(holder.released, undefined)
        })
      )
    )

  const acquire = Effect.fnUntraced(function* (id: string) {
    while (holders.has(id)) yield* replaceSilent(id)
    const holder: Holder = {
      giveWay: yield* Deferred.make<never, UploadConflict>(),
      released: yield* Deferred.make<void>(),
      token: randomUUID(),
      lastSign: yield* Clock.currentTimeMillis,
      finishing: false
    }
    holders.set(id, holder)
    yield* Effect.onError(takeAmongNodes(id, holder.token), () => release(id, holder))
    holder.lastSign = yield* Clock.currentTimeMillis
    return holder
  })

  const held = <A, E, R>(id: string, holder: Holder, use: (hold: Hold) => Effect.Effect<A, E, R>) => {
    const hold: Hold = {
      token: holder.token,
      sign: Effect.map(Clock.currentTimeMillis, (now) => {
        holder.lastSign = now
      }),
      finishing: Effect.suspend(() => {
        holder.finishing = true
        return Effect.asVoid(holds.renew(id, holder.token, holdFor, true))
      })
    }
    return Effect.scoped(
      Effect.andThen(
        Effect.forkScoped(renewing(id, holder)),
        Effect.raceFirst(use(hold), Deferred.await(holder.giveWay))
      )
    ) as Effect.Effect<A, E | UploadConflict, R>
  }

  return UploadLock.of({
    hold: (id, use) =>
      Effect.acquireUseRelease(
        acquire(id),
        (holder) => held(id, holder, use),
        (holder) => release(id, holder)
      )
  })
})

/**
 * One request at a time per upload, among all nodes. A second one is refused while the first brings bytes; when the first has
 * fallen silent, as after a lost connection nobody noticed or with its node, it is ended in good order and the second goes on.
 */
export class UploadLock extends Context.Service<
  UploadLock,
  {
    readonly hold: <A, E, R>(
      id: string,
      use: (hold: Hold) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | UploadConflict | UploadBeingFinished | DatabaseUnavailable, R>
  }
>()("@kinora/node/uploads/UploadLock") {
  static readonly layer = Layer.effect(UploadLock, make)
}
