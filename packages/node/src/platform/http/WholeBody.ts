import { BadRequest, PayloadTooLarge } from "@kinora/domain/errors/RequestErrors"
import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import type { IncomingMessage } from "node:http"

/**
 * The body of a request that nobody has begun to read, of at most `maxBytes`. One that came in one piece is not copied. What
 * lies beyond is read and dropped, so that the answer is heard. `BadRequest`: the client left, or sent no HTTP.
 */
export const wholeBody = (
  request: HttpServerRequest,
  maxBytes: number
): Effect.Effect<Uint8Array, BadRequest | PayloadTooLarge> =>
  Effect.callback((resume) => {
    const source = request.source as unknown as IncomingMessage
    const chunks: Array<Uint8Array> = []
    let bytes = 0
    const leave = () => {
      source.off("data", onData)
      source.off("end", onEnd)
      source.off("error", onBroken)
      source.off("close", onBroken)
    }
    const onData = (chunk: Uint8Array) => {
      bytes += chunk.length
      if (bytes <= maxBytes) return void chunks.push(chunk)
      leave()
      source.resume()
      resume(Effect.fail(new PayloadTooLarge({ maxBytes })))
    }
    const onEnd = () => {
      leave()
      resume(Effect.succeed(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    }
    const onBroken = () => {
      leave()
      // A broken socket emits an error after `close` as well, when nobody listens any more.
      source.on("error", () => undefined)
      resume(Effect.fail(new BadRequest({ reason: "The body could not be read" })))
    }
    source.on("data", onData)
    source.on("end", onEnd)
    source.on("error", onBroken)
    source.on("close", onBroken)
    return Effect.sync(() => {
      leave()
      source.on("error", () => undefined)
      source.destroy()
    })
  })
