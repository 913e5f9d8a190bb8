import { Effect, type Scope } from "effect"
import { randomInt } from "node:crypto"
import { createSocket, type Socket } from "node:dgram"
import { isIP } from "node:net"
import { type Announced, type AnnounceRequest, maxPeers, namedPort, wantedPeers } from "./Announce.ts"
import { isPeerPort, readCompact, readEndpoint } from "../network/Endpoint.ts"
import { type NetworkError, NetworkRefused, type TorrentNetwork } from "../network/TorrentNetwork.ts"
import { TrackerFailed } from "./TrackerFailed.ts"

const magic = 0x41727101980n
const connectAction = 0
const announceAction = 1
const answerMillis = 5_000
const attempts = 2

/** Ports below 1024 that trackers use. */
const webPorts = new Set([80, 443])

/** A socket that only receives from one address. It is closed with the scope. */
const connected = (address: string, port: number): Effect.Effect<Socket, TrackerFailed, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket, TrackerFailed>((resume) => {
      const socket = createSocket(isIP(address) === 6 ? "udp6" : "udp4")
      socket.on("error", () => resume(Effect.fail(new TrackerFailed({ why: "silent" }))))
      socket.once("error", () => socket.close())
      socket.connect(port, address, () => {
        socket.removeAllListeners("error")
        // The error is reported to the next caller. Before that, nothing listens.
        socket.on("error", () => {})
        resume(Effect.succeed(socket))
      })
      return Effect.sync(() => socket.close())
    }),
    (socket) => Effect.sync(() => socket.close()),
    { interruptible: true }
  )

/** Sends a message until an answer of a minimum length arrives. */
const ask = (socket: Socket, action: number, least: number, message: (transaction: number) => Buffer) =>
  Effect.callback<Buffer, TrackerFailed>((resume) => {
    const transaction = randomInt(0, 2 ** 32 - 1)
    const hear = (answer: Buffer) => {
      if (answer.length < 8 || answer.readUInt32BE(4) !== transaction) return
      const right = answer.readUInt32BE(0) === action && answer.length >= least
      resume(right ? Effect.succeed(answer) : Effect.fail(new TrackerFailed({ why: "answer" })))
    }
    const lost = () => resume(Effect.fail(new TrackerFailed({ why: "silent" })))
    socket.on("message", hear)
    socket.on("error", lost)
    socket.send(message(transaction), (error) => {
      if (error !== null) lost()
    })
    return Effect.sync(() => {
      socket.off("message", hear)
      socket.off("error", lost)
    })
  }).pipe(
    Effect.timeoutOrElse({
      duration: answerMillis,
      orElse: () => Effect.fail(new TrackerFailed({ why: "silent" }))
    }),
    Effect.retry({ times: attempts - 1, while: (error) => error.why === "silent" })
  )

const connectMessage = (transaction: number): Buffer => {
  const message = Buffer.alloc(16)
  message.writeBigUInt64BE(magic, 0)
  message.writeUInt32BE(connectAction, 8)
  message.writeUInt32BE(transaction, 12)
  return message
}

const announceMessage = (connection: Buffer, request: AnnounceRequest) => (transaction: number) => {
  const message = Buffer.alloc(98)
  connection.copy(message, 0)
  message.writeUInt32BE(announceAction, 8)
  message.writeUInt32BE(transaction, 12)
  Buffer.from(request.infoHash, "hex").copy(message, 16)
  message.set(request.peerId, 36)
  message.writeBigUInt64BE(BigInt(request.downloaded), 56)
  message.writeBigUInt64BE(BigInt(request.left), 64)
  message.writeUInt32BE(request.first ? 2 : 0, 80)
  message.writeUInt32BE(randomInt(0, 2 ** 32 - 1), 88)
  message.writeInt32BE(wantedPeers, 92)
  message.writeUInt16BE(namedPort, 96)
  return message
}

/** Announces over UDP (BEP 15). The address is vetted first, and only its answers are accepted. */
export const announceOverUdp = Effect.fnUntraced(function* (
  network: TorrentNetwork["Service"],
  url: string,
  request: AnnounceRequest
): Effect.fn.Return<Announced, TrackerFailed | NetworkError, Scope.Scope> {
  const parsed = URL.parse(url)
  const endpoint = parsed?.protocol === "udp:" ? readEndpoint(parsed.host) : undefined
  if (endpoint === undefined) return yield* new NetworkRefused({ detail: "not a tracker" })
  const { port } = endpoint
  if (!isPeerPort(port) && !webPorts.has(port)) return yield* new NetworkRefused({ detail: `port ${port}` })
  const slot = yield* network.reserve(endpoint)
  const [address = ""] = slot.addresses
  return yield* Effect.gen(function* () {
    const socket = yield* connected(address, port)
    const connection = yield* ask(socket, connectAction, 16, connectMessage)
    const answer = yield* ask(socket, announceAction, 20, announceMessage(connection.subarray(8, 16), request))
    const peers = readCompact(answer.subarray(20), isIP(address) === 6 ? 16 : 4)
    return { peers: peers.slice(0, maxPeers), interval: answer.readUInt32BE(8) }
  }).pipe(
    Effect.tap(() => slot.answered),
    Effect.tapError((error) => (error.why === "silent" ? slot.failed : slot.answered))
  )
}, Effect.scoped)
