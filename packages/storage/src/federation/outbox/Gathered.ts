import { Deferred, Effect, Exit, Queue, type Scope } from "effect"

/**
 * Does what many ask for at about the same time in one go: while one is under way, the next is gathered, at most `most` of
 * them. `run` answers in the order of what it was asked. Whoever asks may be interrupted; what was asked is done.
 */
export const gathered = Effect.fnUntraced(function* <I, O, E>(
  run: (items: ReadonlyArray<I>) => Effect.Effect<ReadonlyArray<O>, E>,
  most: number
): Effect.fn.Return<(item: I) => Effect.Effect<O, E>, never, Scope.Scope> {
  const asked = yield* Queue.unbounded<{ readonly item: I; readonly answer: Deferred.Deferred<O, E> }>()
  const work = Effect.gen(function* () {
    const taken = yield* Queue.takeBetween(asked, 1, most)
    const exit = yield* Effect.exit(run(taken.map(({ item }) => item)))
    yield* Effect.forEach(
      taken,
      ({ answer }, i) =>
        Deferred.done(
          answer,
          Exit.map(exit, (answers) => answers[i] as O)
        ),
      { discard: true }
    )
  })
  yield* Effect.forkScoped(Effect.forever(work))
  return (item) =>
    Effect.gen(function* () {
      const answer = yield* Deferred.make<O, E>()
      yield* Queue.offer(asked, { item, answer })
      return yield* Deferred.await(answer)
    })
})
