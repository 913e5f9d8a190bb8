import { Schema } from "effect"

const InfoHash = Schema.String.check(Schema.isPattern(/^[0-9a-f]{40}$/))

/** What a web socket sends, and the node that has it. */
const FromSocket = Schema.Struct({
  /** Names the web socket among those of its node. */
  socket: Schema.String,
  address: Schema.String,
  port: Schema.Int,
  frame: Schema.Struct({
    infoHash: InfoHash,
    peerId: InfoHash,
    isAnswer: Schema.Boolean,
    text: Schema.String
  })
})

/** The web socket is closed. */
const SocketClosed = Schema.Struct({ socket: Schema.String, closed: Schema.Literal(true) })

/** A message to the node of a swarm. */
export const ToSwarm = Schema.Union([FromSocket, SocketClosed])
export type ToSwarm = typeof ToSwarm.Type

/** A message of a swarm to a web socket at another node. */
export const ToSocket = Schema.Struct({ socket: Schema.String, text: Schema.String })
export type ToSocket = typeof ToSocket.Type

/** An announce over HTTP that came to another node. */
const HttpAnnounceElsewhere = Schema.Struct({
  announce: Schema.Struct({
    infoHash: InfoHash,
    peerId: InfoHash,
    port: Schema.Int,
    left: Schema.optional(Schema.Finite),
    wanted: Schema.Int,
    event: Schema.optional(Schema.Literals(["started", "stopped", "completed", "paused"]))
  }),
  address: Schema.String
})

/** The answer in bencode, as base64, or why there is none. */
const HttpAnswer = Schema.Union([
  Schema.Struct({ base64: Schema.String }),
  Schema.Struct({ refused: Schema.Literals(["the tracker is full", "too many announces"]) })
])

const Hashes = Schema.Array(InfoHash)
const FiguresOf = Schema.Array(Schema.Struct({ infoHash: InfoHash, complete: Schema.Int, incomplete: Schema.Int }))

export const decodeToSwarm = Schema.decodeUnknownEffect(
  Schema.Struct({ node: Schema.String, run: Schema.String, messages: Schema.Array(ToSwarm) })
)
export const decodeToSocket = Schema.decodeUnknownEffect(Schema.Array(ToSocket))
export const decodeHttpAnnounce = Schema.decodeUnknownEffect(HttpAnnounceElsewhere)
export const decodeHttpAnswer = Schema.decodeUnknownEffect(HttpAnswer)
export const decodeHashes = Schema.decodeUnknownEffect(Hashes)
export const decodeFigures = Schema.decodeUnknownEffect(FiguresOf)

/** The names of the calls. */
export const calls = {
  announce: "tracker-announce",
  figures: "tracker-figures",
  toSwarm: "tracker-to-swarm",
  toSocket: "tracker-to-socket"
} as const
