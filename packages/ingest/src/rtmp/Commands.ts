import { Result } from "effect"
import { type AmfArray, type AmfObject, type AmfValue, decodeAmf0 } from "../amf/Amf0.ts"
import { messageType, type ReceivedMessage } from "./Messages.ts"
import { RtmpViolation } from "./RtmpViolation.ts"

/** A command of a client, as far as the server knows it. */
export type Command =
  | {
      readonly name: "connect"
      readonly transaction: number
      readonly app: string | undefined
      readonly client: AmfObject
    }
  | { readonly name: "createStream" | "getStreamLength" | "releaseStream" | "FCPublish"; readonly transaction: number }
  | { readonly name: "publish" | "play"; readonly key: string | undefined }
  | { readonly name: "end" }
  | { readonly name: "ignored" }

/** Keys and applications are no longer than this. */
const longestName = 256

const isObject = (value: AmfValue): value is AmfObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A name without its query. Undefined if it is no string, empty, or too long. */
const nameOf = (value: AmfValue): string | undefined => {
  if (typeof value !== "string") return undefined
  const name = value.split("?", 1)[0] as string
  return name.length > 0 && name.length <= longestName ? name : undefined
}

const appOf = (value: AmfValue): string | undefined => {
  const app = nameOf(value)
  return app === undefined ? undefined : app.replace(/\/+$/, "")
}

const valuesOf = ({ payload, type }: ReceivedMessage): AmfArray => {
  // With AMF3 agreed, commands are AMF0 behind one byte.
  const values = decodeAmf0(type === messageType.commandAmf3 ? payload.subarray(1) : payload)
  if (Result.isFailure(values)) throw new RtmpViolation(`a command is not AMF0: ${values.failure.detail}`)
  return values.success
}

/** Reads a command (RTMP 7.2). Arguments of a wrong type are undefined. Throws `RtmpViolation`. */
export const readCommand = (message: ReceivedMessage): Command => {
  const [name, given, object, first] = valuesOf(message)
  if (typeof name !== "string") throw new RtmpViolation("a command without a name")
  const transaction = typeof given === "number" && Number.isFinite(given) ? given : 0
  switch (name) {
    case "connect": {
      const client = isObject(object) ? object : {}
      return { name, transaction, app: appOf(client["app"]), client }
    }
    case "createStream":
    case "getStreamLength":
    case "releaseStream":
    case "FCPublish":
      return { name, transaction }
    case "publish":
    case "play":
      return { name, key: nameOf(first) }
    case "FCUnpublish":
    case "deleteStream":
    case "closeStream":
      return { name: "end" }
    default:
      return { name: "ignored" }
  }
}
