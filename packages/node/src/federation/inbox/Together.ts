import { Deferred, Effect, Exit, Semaphore } from "effect"

interface Asked<A, B, E> {
  readonly one: A
  readonly done: Deferred.Deferred<B, E>
}

/**
 * Has many do at once what costs much each time: while a group is being written, those that come gather for the next. A group weighs
 * `most` or less, unless one of it does alone. What fails as a group is tried again one by one, so that nobody fails for others.
 * Whoever asks first writes for all; when they are interrupted, the next one does.
 */
export const together = <A, B, E>(
  write: (group: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<B>, E>,
  weight: (one: A) => number,
  most: number
): ((one: A) => Effect.Effect<B, E>) => {
  const turn = Semaphore.makeUnsafe(1)
  let waiting: Array<Asked<A, B, E>> = []

  const takeGroup = (): ReadonlyArray<Asked<A, B, E>> => {
    let sum = 0
    const end = waiting.findIndex(({ one }) => (sum += weight(one)) > most)
    return waiting.splice(0, end < 0 ? waiting.length : Math.max(1, end))
  }

  const settle = ({ done }: Asked<A, B, E>, exit: Exit.Exit<B, E>) => Effect.asVoid(Deferred.done(done, exit))

  const writeAlone = (asked: Asked<A, B, E>) =>
    Effect.flatMap(Effect.exit(Effect.map(write([asked.one]), (all) => all[0]!)), (exit) =>
      Exit.hasInterrupts(exit) ? Effect.interrupt : settle(asked, exit)
    )

  const writeGroup = Effect.fnUntraced(function* (group: ReadonlyArray<Asked<A, B, E>>) {
    if (group.length === 1) return yield* writeAlone(group[0]!)
    const exit = yield* Effect.exit(write(group.map(({ one }) => one)))
    if (Exit.isSuccess(exit))
      return group.forEach(({ done }, n) => Deferred.doneUnsafe(done, Exit.succeed(exit.value[n]!)))
    if (Exit.hasInterrupts(exit)) return yield* Effect.interrupt
    yield* Effect.forEach(group, writeAlone, { discard: true })
  })

  const takeTurn = (mine: Asked<A, B, E>) =>
    Effect.suspend(() => {
      if (!waiting.includes(mine)) return Effect.void
      const group = takeGroup()
      return Effect.onInterrupt(writeGroup(group), () =>
        Effect.sync(() => {
          waiting = [...group.filter((it) => it !== mine && !Deferred.isDoneUnsafe(it.done)), ...waiting]
        })
      )
    })

  return (one) =>
    Effect.suspend(() => {
      const mine: Asked<A, B, E> = { one, done: Deferred.makeUnsafe() }
      waiting.push(mine)
      // One that is behind others may not be in the group of the first turn that it gets.
      const turns: Effect.Effect<void> = Effect.flatMap(turn.withPermit(takeTurn(mine)), () =>
        waiting.includes(mine) ? turns : Effect.void
      )
      return Effect.onInterrupt(Effect.andThen(turns, Deferred.await(mine.done)), () =>
        Effect.sync(() => {
          waiting = waiting.filter((it) => it !== mine)
        })
      )
    })
}
