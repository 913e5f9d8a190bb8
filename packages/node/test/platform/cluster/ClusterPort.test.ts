import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect } from "effect"
import { connect as connectTcp, type Socket } from "node:net"
import { connect, type TLSSocket } from "node:tls"
import { clusterKeyOf } from "../../../src/platform/cluster/ClusterKeys.ts"
import { clusterPort } from "../../../src/platform/cluster/ClusterPort.ts"
import { clientTls, protocols } from "../../../src/platform/cluster/ClusterTls.ts"

const key = clusterKeyOf(Buffer.from("the secret of this instance"))
const former = clusterKeyOf(Buffer.from("its former secret"))
const other = clusterKeyOf(Buffer.from("the secret of another instance"))

const opened = Effect.gen(function* () {
  const port = yield* clusterPort({ hostname: "127.0.0.1", port: 0, keys: [key, former] })
  const taken: Array<TLSSocket> = []
  port.onHttp((socket) => void taken.push(socket))
  return { port: port.port, taken }
})

const callOf = (port: number, with_ = key, protocol: string = protocols.http) =>
  Effect.callback<TLSSocket, Error>((resume) => {
    const socket = connect({ ...clientTls([with_], protocol), host: "127.0.0.1", port })
    socket.once("secureConnect", () => resume(Effect.succeed(socket)))
    socket.once("error", (error) => resume(Effect.fail(error)))
    return Effect.sync(() => socket.destroy())
  })

const rawOf = (port: number) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connectTcp(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
      socket.on("error", () => undefined)
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

const closed = (socket: Socket) =>
  Effect.callback<void>((resume) => {
    if (socket.closed) return resume(Effect.void)
    socket.resume()
    socket.once("close", () => resume(Effect.void))
  })

describe("the port of the cluster", () => {
  it.live("lets in who knows a key of the instance, and nobody else", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* opened
      for (const known of [key, former]) (yield* callOf(port, known)).destroy()
      assert.isTrue((yield* Effect.exit(callOf(port, other)))._tag === "Failure")
      // The right name with another's key.
      const claimed = { identity: key.identity, key: other.key }
      assert.isTrue((yield* Effect.exit(callOf(port, claimed)))._tag === "Failure")
      const plain = Effect.callback<void, Error>((resume) => {
        const socket = connect({ host: "127.0.0.1", port, rejectUnauthorized: false }, () => resume(Effect.void))
        socket.once("error", (error) => resume(Effect.fail(error)))
      })
      assert.isTrue((yield* Effect.exit(plain))._tag === "Failure")
      assert.strictEqual(taken.length, 2)
    }).pipe(Effect.scoped)
  )

  it.live("closes what carries none of its protocols", () =>
    Effect.gen(function* () {
      const { port, taken } = yield* opened
      assert.isTrue((yield* Effect.exit(callOf(port, key, "smtp")))._tag === "Failure")
      assert.strictEqual(taken.length, 0)
    }).pipe(Effect.scoped)
  )

  it.live("ends garbage at once and silence after some seconds", () =>
    Effect.gen(function* () {
      const { port } = yield* opened
      const garbage = yield* rawOf(port)
      garbage.write("GET / HTTP/1.1\r\n\r\n")
      yield* Effect.timeout(closed(garbage), "2 seconds")
      const silent = yield* rawOf(port)
      // The first bytes of a handshake record, whose rest never comes.
      silent.write(Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00]))
      yield* Effect.timeout(closed(silent), "6 seconds")
    }).pipe(Effect.scoped)
  )

  it.live("lets nodes in however many others are silent", () =>
    Effect.gen(function* () {
      const { port } = yield* opened
      const first = yield* rawOf(port)
      yield* Effect.forEach(Array.from({ length: 300 }), () => rawOf(port), { concurrency: 50 })
      yield* Effect.timeout(closed(first), "2 seconds")
      ;(yield* Effect.timeout(callOf(port), "2 seconds")).destroy()
    }).pipe(Effect.scoped)
  )

  it.live("frees its address when it closes", () =>
    Effect.gen(function* () {
      const { port } = yield* Effect.scoped(opened)
      const closing = yield* Deferred.make<void>()
      yield* Effect.scoped(clusterPort({ hostname: "127.0.0.1", port, keys: [key] })).pipe(
        Effect.andThen(Deferred.succeed(closing, undefined)),
        Effect.retry({ times: 10 })
      )
    })
  )
})
