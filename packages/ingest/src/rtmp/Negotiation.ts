import { Effect } from "effect"
import { readCommand } from "./Commands.ts"
import { outgoingChunkSize } from "./ChunkWriter.ts"
import { type ConnectionEnded, malformed } from "./ConnectionEnded.ts"
import {
  messageType,
  peerBandwidth,
  type ReceivedMessage,
  type RtmpMessage,
  setChunkSize,
  windowSize
} from "./Messages.ts"
import { connected, connectionRejected, mayPublish, result, status } from "./Replies.ts"
import { RtmpViolation } from "./RtmpViolation.ts"

/** What the client wants, once it has said so. */
export interface Wish {
  readonly kind: "publish" | "play"
  readonly app: string
  readonly key: string
  readonly streamId: number
}

/** What follows from a message. */
export interface NegotiationStep {
  readonly replies: ReadonlyArray<RtmpMessage>
  /** The connection ends after the replies. */
  readonly over?: boolean
  readonly wish?: Wish
}

const nothing: NegotiationStep = { replies: [] }
const window = 2_500_000

/** The commands from connect to publish or play. */
export class Negotiation {
  #app: string | undefined
  #streams = 0

  /** Takes a message of the client. Fails when it breaks the protocol. */
  readonly step = (message: ReceivedMessage): Effect.Effect<NegotiationStep, ConnectionEnded> =>
    Effect.suspend(() => {
      try {
        return Effect.succeed(this.#take(message))
      } catch (error) {
        if (error instanceof RtmpViolation) return Effect.fail(malformed(error))
        throw error
      }
    })

  #take(message: ReceivedMessage): NegotiationStep {
    if (message.type !== messageType.command && message.type !== messageType.commandAmf3) {
      if (message.type === messageType.audio || message.type === messageType.video) {
        throw new RtmpViolation("media before the command to publish")
      }
      return nothing
    }
    const command = readCommand(message)
    if (command.name === "connect") return this.#connect(command)
    if (this.#app === undefined) throw new RtmpViolation(`${command.name} before connect`)
    switch (command.name) {
      case "createStream":
        return { replies: [result(command.transaction, ++this.#streams)] }
      case "getStreamLength":
        return { replies: [result(command.transaction, 0)] }
      case "releaseStream":
        return { replies: [result(command.transaction, undefined)] }
      case "FCPublish":
        return { replies: [result(command.transaction, undefined), mayPublish] }
      case "publish":
      case "play":
        return this.#wish(command.name, this.#app, command.key, message.streamId)
      case "end":
        return { replies: [], over: true }
      default:
        return nothing
    }
  }

  #connect(command: Extract<ReturnType<typeof readCommand>, { name: "connect" }>): NegotiationStep {
    if (this.#app !== undefined) throw new RtmpViolation("connected twice")
    if (command.app === undefined) {
      return { replies: [connectionRejected(command.transaction, "The URL names no application.")], over: true }
    }
    this.#app = command.app
    return {
      replies: [
        windowSize(window),
        peerBandwidth(window),
        setChunkSize(outgoingChunkSize),
        connected(command.transaction, command.client)
      ]
    }
  }

  #wish(kind: "publish" | "play", app: string, key: string | undefined, streamId: number): NegotiationStep {
    if (key !== undefined) return { replies: [], wish: { kind, app, key, streamId } }
    const code = kind === "publish" ? "NetStream.Publish.BadName" : "NetStream.Play.StreamNotFound"
    return { replies: [status(streamId, "error", code, "The stream key is missing.")], over: true }
  }
}
