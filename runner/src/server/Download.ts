import { Duration, Effect, FileSystem, type PlatformError, Stream } from "effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import { succeeded, unreachable } from "./Answers.ts"
import { type ServerError, ServerRefused, ServerUnreachable, UnexpectedAnswer } from "./ServerErrors.ts"
import { unlessStalled } from "./Stalled.ts"

export interface DownloadOptions<E> {
  readonly send: (request: HttpClientRequest.HttpClientRequest) => Effect.Effect<HttpClientResponse, ServerUnreachable>
  readonly tokens: Readonly<Record<string, string>>
  readonly hold: { readonly origin: string; readonly uuid: string }
  readonly address: string
  readonly path: string
  readonly room: (bytes: number) => Effect.Effect<void, E>
}

const downloadStall = Duration.seconds(60)

/**
 * The address to read an input at: below the job, at the server the runner was registered with, under whatever name the
 * server knows itself. Tokens go nowhere else. Undefined when it is another's.
 */
export const inputAddress = (
  { origin, uuid }: { readonly origin: string; readonly uuid: string },
  address: string
): string | undefined => {
  const url = URL.canParse(address) ? new URL(address) : undefined
  return url?.pathname.startsWith(`/api/v1/runners/jobs/${uuid}/files/`) === true
    ? `${origin}${url.pathname}${url.search}`
    : undefined
}

/** Where the bytes of a 206 begin and how many the whole has. */
const contentRange = (value: string | undefined) => {
  const match = /^bytes (\d+)-\d+\/(\d+)$/.exec(value ?? "")
  return match === null ? undefined : { start: Number(match[1]), size: Number(match[2]) }
}

/** One try to get, or go on getting, a file. A server that knows no ranges sends it whole, and it is begun anew. */
export const downloadTo = Effect.fn("downloadTo")(function* <E>({
  address,
  hold,
  path,
  room,
  send,
  tokens
}: DownloadOptions<E>): Effect.fn.Return<void, ServerError | E | PlatformError.PlatformError, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const url = inputAddress(hold, address)
  if (url === undefined) {
    const message = "The input is somewhere else than at the server of the job"
    return yield* new ServerRefused({ status: 0, message, fields: [] })
  }
  const there = yield* fs.stat(path).pipe(
    Effect.map(({ size }) => Number(size)),
    Effect.orElseSucceed(() => 0)
  )
  const whole = HttpClientRequest.bodyJsonUnsafe(HttpClientRequest.post(url), tokens)
  const request = there === 0 ? whole : HttpClientRequest.setHeader(whole, "range", `bytes=${there}-`)

  yield* unlessStalled(downloadStall, (moved) =>
    Effect.gen(function* () {
      const response = yield* send(request)
      if (response.status === 416) {
        // Everything is there already, or the file is another one than before: begun anew, that is found out.
        yield* fs.remove(path, { force: true })
        return yield* new ServerUnreachable({ message: "The rest of the file was refused" })
      }
      yield* succeeded(response, true)
      const range = response.status === 206 ? contentRange(response.headers["content-range"]) : undefined
      if (response.status === 206 && range?.start !== there) {
        return yield* new UnexpectedAnswer({ message: "Another part of the file came than was asked for" })
      }
      const length = Number(response.headers["content-length"] ?? "")
      const size = range?.size ?? (length > 0 ? length : undefined)
      if (size !== undefined) yield* room(size)
      yield* response.stream.pipe(
        Stream.mapError(unreachable),
        Stream.tap(() => Effect.sync(moved)),
        Stream.run(fs.sink(path, { flag: range === undefined ? "w" : "a", mode: 0o600 }))
      )
      const got = Number((yield* fs.stat(path)).size)
      if (size !== undefined && got < size) {
        return yield* new ServerUnreachable({ message: `The file was cut off at ${got} of ${size} bytes` })
      }
    })
  )
})
