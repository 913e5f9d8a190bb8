import { Deferred, Effect, Redacted, type Scope } from "effect"
import { type Publisher, PublishRefused, type PublishEnd, type PublishRequest } from "../../src/Publisher.ts"
import type { SrtHandlers } from "../../src/srt/SrtHandlers.ts"
import { listenSrt, type SrtOptions } from "../../src/srt/SrtServer.ts"

/** What was published under one key by SRT. */
export interface SrtRecording {
  readonly key: string
  readonly request: PublishRequest
  readonly pieces: Array<Buffer>
  readonly ended: Deferred.Deferred<PublishEnd>
  readonly stop: Deferred.Deferred<string>
}

export const bytesOf = ({ pieces }: SrtRecording): Buffer => Buffer.concat(pieces)

/** Lets publishers in, unless their key begins with "wrong", and keeps what they send. */
export const srtRecorder = (write?: (recording: SrtRecording) => Effect.Effect<void, PublishRefused>) => {
  const recordings: Array<SrtRecording> = []
  const handlers: SrtHandlers = {
    publish: Effect.fnUntraced(function* (request) {
      const key = Redacted.value(request.key)
      if (key.startsWith("wrong")) {
        return yield* new PublishRefused({ reason: "No live has this stream key.", why: "key" })
      }
      const recording: SrtRecording = {
        ...{ key, request, pieces: [] },
        ended: yield* Deferred.make<PublishEnd>(),
        stop: yield* Deferred.make<string>()
      }
      recordings.push(recording)
      return {
        write: (bytes) => {
          recording.pieces.push(Buffer.from(bytes))
          return write === undefined ? Effect.void : write(recording)
        },
        ended: (end) => Effect.asVoid(Deferred.succeed(recording.ended, end)),
        stopped: Deferred.await(recording.stop)
      } satisfies Publisher<Uint8Array>
    })
  }
  return { recordings, handlers }
}

/** Listens on a port of the loopback for the rest of the test. */
export const listeningSrt = (
  handlers: SrtHandlers,
  options: Partial<SrtOptions> = {}
): Effect.Effect<number, never, Scope.Scope> =>
  listenSrt({ host: "127.0.0.1", port: 0, ...options }, handlers).pipe(
    Effect.map(({ port }) => port),
    Effect.orDie
  )
