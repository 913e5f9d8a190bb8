import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schedule } from "effect"
import { io, type Socket } from "socket.io-client"
import { layerServe } from "../../src/platform/http/HttpServerLayer.ts"
import { RunnerSocket } from "../../src/runner/registration/RunnerSocket.ts"
import { baseUrl, testOptions, testRoutes, testServices } from "../instance/about/TestNode.ts"
import { People } from "../video/list/People.ts"
import { addJob, manage, post, runner } from "./Runners.ts"

const node = People.layer.pipe(
  Layer.provideMerge(
    layerServe(Layer.mergeAll(testRoutes, RunnerSocket), testOptions).pipe(Layer.provideMerge(testServices()))
  )
)

/** A socket of a runner; what it is told is counted. */
const connect = Effect.fnUntraced(function* (auth: Record<string, unknown>, namespace = "/runners") {
  const base = yield* baseUrl
  const told = { times: 0, refusals: [] as Array<string> }
  const socket: Socket = yield* Effect.acquireRelease(
    Effect.sync(() => io(base + namespace, { auth, transports: ["websocket"], reconnection: false, forceNew: true })),
    (it) => Effect.sync(() => void it.disconnect())
  )
  socket.on("available-jobs", () => told.times++)
  yield* Effect.promise(
    () =>
      new Promise<void>((done) => {
        socket.once("connect", () => done())
        socket.once("connect_error", (error) => {
          told.refusals.push(error.message)
          done()
        })
      })
  )
  return { socket, told }
})

const until = (condition: () => boolean) =>
  Effect.suspend(() => (condition() ? Effect.void : Effect.fail("not yet"))).pipe(
    Effect.retry(Schedule.max([Schedule.spaced("20 millis"), Schedule.recurs(400)]))
  )

layer(node, { excludeTestServices: true, timeout: 60_000 })("The socket of runners", (it) => {
  it.effect("tells who shows a token that there is work, once in a while", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      const { socket, told } = yield* connect({ runnerToken })
      assert.isTrue(socket.connected)
      yield* until(() => told.times === 1)
      for (let n = 0; n < 5; n++) yield* addJob()
      yield* until(() => told.times === 2)
      assert.isAbove((yield* post("/jobs/request", { runnerToken })).json.availableJobs.length, 4)
    }).pipe(Effect.scoped)
  )

  it.effect("DOS-12: refuses everybody else, and closes what says too much", () =>
    Effect.gen(function* () {
      const { runnerToken } = yield* runner()
      for (const [auth, words] of [
        [{}, "No runner token provided"],
        [{ runnerToken: { a: 1 } }, "Runner token is invalid"],
        [{ runnerToken: "ptrt-none" }, "Invalid runner token."]
      ] as const) {
        const { socket, told } = yield* connect(auth)
        assert.deepStrictEqual([socket.connected, told.refusals], [false, [words]])
      }
      const elsewhere = yield* connect({ runnerToken }, "/my-secrets")
      assert.isFalse(elsewhere.socket.connected)
      const { socket } = yield* connect({ runnerToken })
      socket.emit("flood", "x".repeat(100_000))
      yield* until(() => !socket.connected)
    }).pipe(Effect.scoped)
  )

  it.effect("AUT-11: the socket of a runner that is deleted is closed at once", () =>
    Effect.gen(function* () {
      const one = yield* runner()
      const two = yield* runner()
      const first = yield* connect({ runnerToken: one.runnerToken })
      const second = yield* connect({ runnerToken: two.runnerToken })
      yield* manage("DELETE", `/${one.id}`)
      yield* until(() => !first.socket.connected)
      assert.isTrue(second.socket.connected)
    }).pipe(Effect.scoped)
  )

  it.effect("AUT-11: one connection cannot try many tokens", () =>
    Effect.gen(function* () {
      const base = yield* baseUrl
      const socket = yield* Effect.acquireRelease(
        Effect.sync(() => new WebSocket(`${base.replace("http", "ws")}/socket.io/?EIO=4&transport=websocket`)),
        (it) => Effect.sync(() => it.close())
      )
      const seen = { wrong: 0, closed: false }
      socket.addEventListener("message", ({ data }) => {
        if (String(data).startsWith("0"))
          for (let n = 0; n < 50; n++) socket.send(`40/runners,{"runnerToken":"ptrt-${n}"}`)
        if (String(data).includes("Invalid runner token.")) seen.wrong++
      })
      socket.addEventListener("close", () => (seen.closed = true))
      yield* until(() => seen.closed)
      assert.isAtMost(seen.wrong, 5)
    }).pipe(Effect.scoped)
  )
})
