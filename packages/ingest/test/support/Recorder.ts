import { Deferred, Effect, Redacted, type Scope, Stream } from "effect"
import type { FlvTag } from "../../src/flv/FlvTag.ts"
import { type Publisher, PublishRefused, type PublishEnd } from "../../src/Publisher.ts"
import { listenRtmp, type RtmpOptions } from "../../src/rtmp/RtmpServer.ts"
import type { RtmpHandlers } from "../../src/rtmp/Connection.ts"

/** What was published under one key. */
export interface Recording {
  readonly key: string
  readonly app: string
  readonly protocol: string
  readonly address: string
  readonly tags: Array<FlvTag>
  readonly ended: Deferred.Deferred<PublishEnd>
  readonly stop: Deferred.Deferred<string>
}

/** Lets publishers in, unless their key begins with "wrong", and keeps what they send. */
export const recorder = (write?: (recording: Recording, tag: FlvTag) => Effect.Effect<void, PublishRefused>) => {
  const recordings: Array<Recording> = []
  const handlers: RtmpHandlers = {
    publish: Effect.fnUntraced(function* (request) {
      const { address, app, protocol } = request
      const key = Redacted.value(request.key)
      if (key.startsWith("wrong")) return yield* new PublishRefused({ reason: "No live has this stream key." })
      const recording: Recording = {
        ...{ address, app, key, protocol },
        tags: [],
        ended: yield* Deferred.make<PublishEnd>(),
        stop: yield* Deferred.make<string>()
      }
      recordings.push(recording)
      return {
        write: (tag) => {
          recording.tags.push(tag)
          return write === undefined ? Effect.void : write(recording, tag)
        },
        ended: (end) => Effect.asVoid(Deferred.succeed(recording.ended, end)),
        stopped: Deferred.await(recording.stop)
      } satisfies Publisher
    }),
    play: ({ key }) => {
      const recording = recordings.find((one) => one.key === Redacted.value(key))
      return recording === undefined
        ? Effect.fail(new PublishRefused({ reason: "No live has this stream key." }))
        : Effect.succeed(Stream.fromIterable(recording.tags))
    }
  }
  return { recordings, handlers }
}

/** Listens on a port of the loopback for the rest of the test. */
export const listening = (
  handlers: RtmpHandlers,
  options: Partial<RtmpOptions> = {}
): Effect.Effect<number, never, Scope.Scope> =>
  listenRtmp({ host: "127.0.0.1", port: 0, ...options }, handlers).pipe(
    Effect.map(({ port }) => port),
    Effect.orDie
  )
