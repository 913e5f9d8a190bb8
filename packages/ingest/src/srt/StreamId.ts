import { rejection } from "./Rejection.ts"

/** A stream id in the form of libsrt's access control begins with this. */
const structured = "#!::"

const values = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(",").map((pair) => {
      const at = pair.indexOf("=")
      return at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)]
    })
  )

/**
 * The stream key in a stream id: the whole of it, or the resource of `#!::r=KEY,m=publish`. A number is the code of the
 * rejection: there is no key, or the peer wants to play.
 */
export const streamKeyOf = (streamId: string): string | number => {
  if (!streamId.startsWith(structured)) return streamId === "" ? rejection.badRequest : streamId
  const fields = values(streamId.slice(structured.length))
  const mode = fields.get("m") ?? "publish"
  if (mode !== "publish") return rejection.badMode
  const type = fields.get("t") ?? "stream"
  if (type !== "stream") return rejection.badMode
  const key = fields.get("r") ?? ""
  return key === "" ? rejection.badRequest : key
}
