import { Effect, type Scope } from "effect"
import { randomBytes, randomInt } from "node:crypto"
import { createSocket, type Socket } from "node:dgram"
import { isIP } from "node:net"
import type { Endpoint } from "../network/Endpoint.ts"
import type { TorrentNetwork } from "../network/TorrentNetwork.ts"
import { type DhtAnswer, type DhtNode, dhtQuestion, readDhtAnswer } from "./DhtAnswer.ts"
import { endpointName, isPeerPort } from "../network/Endpoint.ts"

const answerMillis = 2_000
/** Concurrent questions, and their total number. */
const asking = 8
const maxQuestions = 200
/** Nodes to remember, and how many of the nearest must have answered. */
const maxNodes = 500
const nearest = 8

const open: Effect.Effect<Socket, never, Scope.Scope> = Effect.acquireRelease(
  Effect.callback<Socket>((resume) => {
    const socket = createSocket("udp4")
    // A lost question counts as unanswered.
    socket.on("error", () => {})
    socket.bind(0, () => resume(Effect.succeed(socket)))
  }),
  (socket) => Effect.sync(() => socket.close())
)

/** Sends one question, and accepts answers only from its recipient. */
const ask = (socket: Socket, address: string, port: number, id: Uint8Array, infoHash: Uint8Array) =>
  Effect.callback<DhtAnswer>((resume) => {
    const transaction = randomInt(0, 2 ** 32 - 1)
    const hear = (message: Buffer, from: { readonly address: string; readonly port: number }) => {
      if (from.address !== address || from.port !== port) return
      const answer = readDhtAnswer(message)
      if (answer?.transaction === transaction) resume(Effect.succeed(answer))
    }
    socket.on("message", hear)
    socket.send(dhtQuestion(transaction, id, infoHash), port, address, () => {})
    return Effect.sync(() => socket.off("message", hear))
  }).pipe(Effect.timeoutOption(answerMillis))

const distance = (one: Uint8Array, other: Uint8Array): string =>
  Buffer.from(one.map((byte, n) => byte ^ (other[n] ?? 0))).toString("hex")

/**
 * Looks for peers of a torrent in the DHT (BEP 5), from the given nodes towards those nearest to its hash. It asks
 * questions and answers none. Returns the number of nodes that answered. Every address is vetted before a question is
 * sent to it; the questions are few and small.
 */
export const lookUpPeers = Effect.fnUntraced(function* (
  network: TorrentNetwork["Service"],
  infoHash: string,
  bootstrap: ReadonlyArray<Endpoint>,
  found: (peer: Endpoint) => void
) {
  const socket = yield* open
  socket.setMaxListeners(asking + 1)
  const hash = Buffer.from(infoHash, "hex")
  const id = randomBytes(20)
  const known = new Set<string>()
  const answered: Array<string> = []
  // The bootstrap nodes are asked first.
  const waiting: Array<{ readonly away: string; readonly endpoint: Endpoint }> = bootstrap.map((endpoint) => ({
    away: "",
    endpoint
  }))
  let questions = 0
  let busy = 0

  const learn = (node: DhtNode) => {
    const name = endpointName(node.endpoint)
    if (known.size >= maxNodes || known.has(name) || !isPeerPort(node.endpoint.port)) return
    known.add(name)
    waiting.push({ away: distance(node.id, hash), endpoint: node.endpoint })
  }

  const next = (): Endpoint | undefined => {
    waiting.sort((one, other) => (one.away < other.away ? -1 : 1))
    const [first] = waiting
    const far = answered[nearest - 1]
    if (first === undefined || questions >= maxQuestions || (far !== undefined && first.away > far)) return undefined
    waiting.shift()
    questions++
    return first.endpoint
  }

  const question = Effect.fnUntraced(
    function* ({ hostname, port }: Endpoint) {
      const addresses = yield* network.addresses(hostname)
      const address = addresses.find((it) => isIP(it) === 4)
      if (address === undefined) return
      const answer = yield* ask(socket, address, port, id, hash)
      if (answer._tag === "None") return
      answered.push(distance(answer.value.id, hash))
      answered.sort()
      answer.value.nodes.forEach(learn)
      answer.value.peers.forEach(found)
    },
    (asking) => Effect.ignore(asking)
  )

  const worker = Effect.gen(function* () {
    for (;;) {
      const endpoint = next()
      if (endpoint === undefined) {
        if (busy === 0) return
        yield* Effect.sleep(50)
        continue
      }
      busy++
      yield* question(endpoint).pipe(Effect.ensuring(Effect.sync(() => busy--)))
    }
  })
  yield* Effect.all(
    Array.from({ length: asking }, () => worker),
    { concurrency: "unbounded", discard: true }
  )
  return answered.length
}, Effect.scoped)
