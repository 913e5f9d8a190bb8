import { Effect, type Scope } from "effect"
import { createSocket, type Socket } from "node:dgram"
import { randomOf } from "./Random.ts"

/** What becomes of a packet: parts of a hundred. */
export interface Weather {
  readonly lost: number
  readonly twice?: number
  /** Held back for some milliseconds, behind later ones. */
  readonly late?: number
}

const bound = (): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = createSocket("udp4")
      socket.bind(0, "127.0.0.1", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.callback<void>((resume) => void socket.close(() => resume(Effect.void)))
  )

/** A relay of UDP between one client and a port of the loopback, in both directions, on which packets suffer. */
export const lossyRelay = Effect.fnUntraced(function* (to: number, weather: Weather, seed = 1) {
  const random = randomOf(seed)
  const near = yield* bound()
  const far = yield* bound()
  const counts = { passed: 0, lost: 0 }
  let client = 0
  let isClosed = false
  yield* Effect.addFinalizer(() => Effect.sync(() => void (isClosed = true)))
  const pass = (bytes: Buffer, by: Socket, port: number) => {
    const send = () => {
      if (!isClosed && port !== 0) by.send(bytes, port, "127.0.0.1", () => {})
    }
    const chance = random.below(1000) / 10
    if (chance < weather.lost) return void counts.lost++
    counts.passed++
    const { late = 0, twice = 0 } = weather
    if (random.below(100) < twice) send()
    if (random.below(100) < late) setTimeout(send, 5 + random.below(30))
    else send()
  }
  near.on("message", (bytes, from) => {
    client = from.port
    pass(bytes, far, to)
  })
  far.on("message", (bytes) => pass(bytes, near, client))
  return { port: near.address().port, counts }
})
