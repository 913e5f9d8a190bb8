import { BadRequest, PayloadTooLarge } from "@kinora/domain/errors/RequestErrors"
import { Effect, type Pull } from "effect"
import * as MultipartParser from "effect/http/MultipartParser"
import { catchDone } from "effect/Pull"

const maxParts = 2000
const maxFieldSize = 1024 * 1024

/** Takes one file of a form. */
export interface FileSink<E> {
  readonly write: (chunk: Uint8Array) => Effect.Effect<void, E>
  readonly end: Effect.Effect<void, E>
}

/** Swallows a file nobody asked for. */
export const ignored: FileSink<never> = { write: () => Effect.void, end: Effect.void }

type Event =
  | { readonly _tag: "Field"; readonly name: string; readonly value: string }
  | { readonly _tag: "File"; readonly info: MultipartParser.PartInfo }
  | { readonly _tag: "Bytes"; readonly chunk: Uint8Array }
  | { readonly _tag: "End" }
  | { readonly _tag: "Done" }
  | { readonly _tag: "Broken"; readonly error: MultipartParser.MultipartError }

const refusal = (error: MultipartParser.MultipartError): BadRequest | PayloadTooLarge =>
  error._tag === "ReachedLimit" && error.limit === "MaxFieldSize"
    ? new PayloadTooLarge({ maxBytes: maxFieldSize })
    : new BadRequest({ reason: `The multipart body is broken (${error._tag})` })

/**
 * Reads a multipart body as it arrives (RFC 7578): fields are collected, files go to the sinks `onFile` gives. Only what
 * one read of the connection brought is in memory at a time, whatever the size of a file.
 */
export const readMultipart = Effect.fnUntraced(function* <E, FE>(options: {
  readonly headers: Record<string, string>
  readonly next: Pull.Pull<ReadonlyArray<Uint8Array>, E>
  readonly onBytes: Effect.Effect<void>
  readonly onFile: (info: MultipartParser.PartInfo) => Effect.Effect<FileSink<FE>, FE>
  /** Called with each field as it arrives: before the files that follow it. */
  readonly onField?: (name: string, value: string) => void
}): Effect.fn.Return<ReadonlyArray<readonly [string, string]>, E | FE | BadRequest | PayloadTooLarge> {
  let events: Array<Event> = []
  let complete = false
  const parser = MultipartParser.make({
    headers: options.headers,
    maxParts,
    maxFieldSize,
    onField: (info, value) => {
      events.push({ _tag: "Field", name: info.name, value: MultipartParser.decodeField(info, value) })
    },
    onFile: (info) => {
      events.push({ _tag: "File", info })
      return (chunk) => {
        events.push(chunk === null ? { _tag: "End" } : { _tag: "Bytes", chunk })
      }
    },
    onError: (error) => {
      events.push({ _tag: "Broken", error })
    },
    onDone: () => {
      events.push({ _tag: "Done" })
    }
  })
  const fields: Array<readonly [string, string]> = []
  let sink: FileSink<FE> | undefined

  const drain = Effect.gen(function* () {
    const batch = events
    events = []
    for (const event of batch) {
      switch (event._tag) {
        case "Field":
          fields.push([event.name, event.value])
          options.onField?.(event.name, event.value)
          break
        case "File":
          sink = yield* options.onFile(event.info)
          break
        case "Bytes":
          if (sink !== undefined) yield* sink.write(event.chunk)
          break
        case "End": {
          const ended = sink
          sink = undefined
          if (ended !== undefined) yield* ended.end
          break
        }
        case "Done":
          complete = true
          break
        case "Broken":
          return yield* refusal(event.error)
      }
    }
  })

  const read = Effect.gen(function* () {
    while (true) {
      const chunks = yield* options.next
      yield* options.onBytes
      for (const chunk of chunks) {
        parser.write(chunk)
        yield* drain
      }
    }
  })
  yield* drain
  yield* catchDone(read, () => Effect.void)
  if (!complete) return yield* new BadRequest({ reason: "The multipart body ends too early" })
  return fields
})
