import { RunnerJobBoard } from "@kinora/storage/runner/RunnerJobBoard"
import { Duration, Effect, Layer, Option, Queue, Stream } from "effect"
import type { Socket } from "socket.io"
import { SocketRefused, SocketServer } from "../../platform/sockets/SocketServer.ts"
import { Supervisor } from "../../platform/supervision/Supervisor.ts"
import { RunnerAccess } from "./RunnerAccess.ts"

/** Runners are notified at most once in this time, however many jobs there are (contract: available-jobs). */
const reportEvery = Duration.seconds(1)

const longestToken = 1000

const roomOf = (runnerId: number | string): string => `runner ${runnerId}`

const refused = (message: string, wrongToken = false) => new SocketRefused({ message, wrongToken })

/**
 * The socket.io namespace `/runners` (contract: runner-protocol.json, socket): tells authenticated runners that there
 * are jobs. This is only a hint: runners that poll get the same jobs.
 */
export const RunnerSocket = Layer.effectDiscard(
  Effect.gen(function* () {
    const access = yield* RunnerAccess
    const board = yield* RunnerJobBoard
    const sockets = yield* SocketServer
    const supervisor = yield* Supervisor

    const enter = Effect.fnUntraced(function* (socket: Socket) {
      const token: unknown = socket.handshake.auth["runnerToken"]
      if (token === undefined || token === null || token === "") return yield* refused("No runner token provided")
      if (typeof token !== "string" || token.length > longestToken) return yield* refused("Runner token is invalid")
      const runner = yield* Effect.orDie(access.knows(token))
      if (Option.isNone(runner)) return yield* refused("Invalid runner token.", true)
      yield* Effect.promise(async () => socket.join(roomOf(runner.value.id)))
    })

    const runners = yield* sockets.namespace("/runners", { refusal: "Runner token is invalid", enter })

    const wakeups = yield* Queue.sliding<void>(1)
    const hear = Effect.gen(function* () {
      const namespace = yield* runners.opened
      return yield* Stream.runForEach(board.wakeUps, (event) =>
        event === ""
          ? Queue.offer(wakeups, undefined)
          : Effect.sync(() => void namespace.in(roomOf(event)).disconnectSockets(true))
      )
    })
    const announce = Effect.gen(function* () {
      yield* Queue.take(wakeups)
      const namespace = yield* runners.opened
      namespace.emit("available-jobs")
      yield* Effect.sleep(reportEvery)
    })
    yield* supervisor.run("runner notices", Effect.andThen(hear, Effect.die("the notices of runner jobs ended")))
    yield* supervisor.run("runner job events", Effect.forever(announce))
  })
).pipe(Layer.provide(SocketServer.layer))
