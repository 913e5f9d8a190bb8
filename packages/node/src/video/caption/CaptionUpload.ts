import { constraints } from "@kinora/domain/enums/Constraints"
import { InvalidParameters } from "@kinora/domain/errors/RequestErrors"
import { MaxFileSizeReached } from "@kinora/domain/errors/UploadErrors"
import { Context, Effect, Layer, Semaphore } from "effect"
import type { HttpServerRequest } from "effect/http/HttpServerRequest"
import { type BodyRefused, readFields } from "../../platform/body/FieldsBody.ts"
import { ignored } from "../../platform/body/MultipartBody.ts"
import { toWebVtt } from "./WebVtt.ts"

const { maxBytes } = constraints.caption
const field = "captionfile"
/** At most this much for boundaries and other fields of the form. */
const overhead = 64 * 1024

const refuse = (message: string) => InvalidParameters.one(field, message, "body")

const encodings = [
  { name: "utf-16le", mark: [0xff, 0xfe] },
  { name: "utf-16be", mark: [0xfe, 0xff] }
] as const

/** Text in UTF-8, or in UTF-16 with a byte order mark. Undefined if it is neither. */
const decode = (bytes: Buffer): string | undefined => {
  const encoding = encodings.find(({ mark }) => mark.every((byte, i) => bytes[i] === byte))?.name ?? "utf-8"
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const isTooLong = (request: HttpServerRequest): boolean => {
  const length = request.headers["content-length"]
  return length !== undefined && Number(length) > maxBytes + overhead
}

/** Reads uploaded captions into memory and converts two at a time. */
export class CaptionUpload extends Context.Service<
  CaptionUpload,
  {
    /** The captions of the form field `captionfile`, WebVTT or SubRip, rewritten as WebVTT. */
    readonly read: (request: HttpServerRequest) => Effect.Effect<string, BodyRefused | MaxFileSizeReached>
  }
>()("@kinora/node/captions/CaptionUpload") {
  static readonly layer = Layer.effect(
    CaptionUpload,
    Effect.gen(function* () {
      const turns = yield* Semaphore.make(2)

      const receive = Effect.fnUntraced(function* (request: HttpServerRequest) {
        const parts: Array<Uint8Array> = []
        let size = 0
        let found = false
        yield* readFields<MaxFileSizeReached>(request, {
          maxBytes: maxBytes + overhead,
          onFile: ({ name }) => {
            if (name !== field || found) return Effect.succeed(ignored)
            found = true
            return Effect.succeed({
              write: (chunk: Uint8Array) => {
                size += chunk.length
                parts.push(Uint8Array.from(chunk))
                return size > maxBytes ? Effect.fail(new MaxFileSizeReached({ maxBytes })) : Effect.void
              },
              end: Effect.void
            })
          }
        })
        return Buffer.concat(parts)
      })

      const convert = Effect.fnUntraced(function* (bytes: Buffer) {
        const text = decode(bytes)
        if (text === undefined) return yield* refuse("Must be text in UTF-8")
        const captions = yield* toWebVtt(text)
        return captions ?? (yield* refuse("Must be a WebVTT or SubRip file with at least one caption"))
      })

      const read = Effect.fn("CaptionUpload.read")(function* (request: HttpServerRequest) {
        if (isTooLong(request)) return yield* new MaxFileSizeReached({ maxBytes })
        const bytes = yield* receive(request)
        return yield* turns.withPermits(1)(convert(bytes))
      })

      return CaptionUpload.of({ read })
    })
  )
}
