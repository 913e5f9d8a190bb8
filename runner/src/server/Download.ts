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
 * The URL of an input file: below the job, on the server the runner was registered with, whatever host name the server
 * uses for itself. Tokens are sent nowhere else. Undefined if it belongs to another job.
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

/** Start offset and total length of a 206 response. */
const contentRange = (value: string | undefined) => {
  const match = /^bytes (\d+)-\d+\/(\d+)$/.exec(value ?? "")
  return match === null ? undefined : { start: Number(match[1]), size: Number(match[2]) }
}

/**
 * One try to download a file, or to continue a download. A server without range support sends the whole file, and the
 * download starts again.
 */
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
    const message = "The input is not on the server of the job"
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
        // The file is already complete, or it has changed: downloading it again shows which.
        yield* fs.remove(path, { force: true })
        return yield* new ServerUnreachable({ message: "The rest of the file was refused" })
      }
      yield* succeeded(response, true)
      const range = response.status === 206 ? contentRange(response.headers["content-range"]) : undefined
      if (response.status === 206 && range?.start !== there) {
        return yield* new UnexpectedAnswer({ message: "The server sent another part of the file than requested" })
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
