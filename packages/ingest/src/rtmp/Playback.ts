import { type Duration, Effect, Stream } from "effect"
import type { FlvTag } from "../flv/FlvTag.ts"
import { encodeChunks } from "./ChunkWriter.ts"
import { ConnectionEnded, lost } from "./ConnectionEnded.ts"
import type { Link } from "./Link.ts"
import { messageOf } from "./MediaMessages.ts"
import { userControl, userEvent } from "./Messages.ts"
import { status } from "./Replies.ts"
import type { SocketBytes } from "./SocketBytes.ts"
import type { Watchdog } from "./Watchdog.ts"

const idle = new ConnectionEnded({ end: "idle", detail: "the player takes nothing" })

/** Reads what players send, and forgets it: the end of the connection is what matters. */
const discard = (link: Link): Effect.Effect<never, ConnectionEnded> => Effect.forever(link.next)

/** Sends the tags of a stream to a player, as fast as it takes them, and closes after the last. */
export const runPlayback = Effect.fnUntraced(function* (
  link: Link,
  socket: SocketBytes,
  stream: Stream.Stream<FlvTag>,
  streamId: number,
  watchdog: Watchdog,
  idleTime: Duration.Duration
): Effect.fn.Return<void, ConnectionEnded> {
  yield* link.send([
    userControl(userEvent.streamBegin, streamId),
    status(streamId, "status", "NetStream.Play.Reset", "The playback begins anew."),
    status(streamId, "status", "NetStream.Play.Start", "The playback begins.")
  ])
  const sent = Stream.runForEach(stream, (tag) =>
    Effect.suspend(() => {
      if (socket.isOver) return Effect.fail(lost)
      if (socket.write(encodeChunks(messageOf(tag, streamId)))) return Effect.void
      watchdog.allow(idleTime)
      return Effect.tap(socket.drained, () => Effect.sync(() => watchdog.pause()))
    })
  )
  watchdog.pause()
  yield* Effect.raceAllFirst([sent, discard(link), Effect.andThen(watchdog.expired, Effect.fail(idle))])
  yield* link.send([
    userControl(userEvent.streamEof, streamId),
    status(streamId, "status", "NetStream.Play.UnpublishNotify", "The stream has ended."),
    status(streamId, "status", "NetStream.Play.Stop", "The stream has ended.")
  ])
})
