import { type Duration, Effect, Exit } from "effect"
import { Timeline } from "../flv/Timeline.ts"
import { unreadableReason } from "../flv/Readable.ts"
import type { Publisher, PublishEnd, PublishRefused } from "../Publisher.ts"
import { readCommand } from "./Commands.ts"
import { ConnectionEnded, malformed } from "./ConnectionEnded.ts"
import type { Link } from "./Link.ts"
import { type MediaFault, tagOf } from "./MediaMessages.ts"
import { messageType, type ReceivedMessage, userControl, userEvent } from "./Messages.ts"
import { status } from "./Replies.ts"
import { RtmpViolation } from "./RtmpViolation.ts"
import type { Watchdog } from "./Watchdog.ts"

const started = (streamId: number) => [
  userControl(userEvent.streamBegin, streamId),
  status(streamId, "status", "NetStream.Publish.Start", "The publication begins.")
]

const closed = new ConnectionEnded({
  end: "closed",
  detail: "unpublished",
  status: { code: "NetStream.Unpublish.Success", description: "The stream has ended." }
})

const denied = (reason: string) =>
  new ConnectionEnded({
    end: "closed",
    detail: reason,
    status: { code: "NetStream.Publish.Denied", description: reason }
  })

const unsupported = (detail: string, description: string) =>
  new ConnectionEnded({ end: "malformed", detail, status: { code: "NetStream.Publish.Rejected", description } })

const faults = {
  truncated: malformed(new RtmpViolation("a frame without its header")),
  multitrack: unsupported(
    "multitrack",
    "Streams with several tracks (Enhanced RTMP multitrack) are not supported. Send one video and one audio track."
  ),
  aggregate: unsupported("aggregate", "Aggregate messages are not supported.")
} as const satisfies Record<Extract<MediaFault, string>, ConnectionEnded>

/** Why a command ends the publication; undefined when it does not. */
const endOfCommand = (message: ReceivedMessage): ConnectionEnded | undefined => {
  try {
    const { name } = readCommand(message)
    if (name === "end") return closed
    return name === "publish" || name === "play" || name === "connect"
      ? malformed(new RtmpViolation(`${name} while publishing`))
      : undefined
  } catch (error) {
    if (error instanceof RtmpViolation) return malformed(error)
    throw error
  }
}

const isCommand = ({ type }: ReceivedMessage) => type === messageType.command || type === messageType.commandAmf3

/** Passes media on, one tag at a time, until something ends the publication. */
const passOn = Effect.fnUntraced(function* (
  link: Link,
  publisher: Publisher,
  watchdog: Watchdog,
  idleTime: Duration.Duration
): Effect.fn.Return<never, ConnectionEnded | PublishRefused> {
  const timeline = new Timeline()
  watchdog.allow(idleTime)
  for (;;) {
    const message = link.pull()
    if (message === undefined) {
      yield* link.more
      continue
    }
    if (message instanceof RtmpViolation) return yield* malformed(message)
    if (isCommand(message)) {
      const end = endOfCommand(message)
      if (end !== undefined) return yield* end
      continue
    }
    const tag = tagOf(message, timeline)
    if (tag === undefined) continue
    if (typeof tag === "string") return yield* faults[tag]
    if (!("payload" in tag)) return yield* unsupported(`${tag.kind} in ${tag.codec}`, unreadableReason(tag))
    // While our side is slow, the publisher's time stands still.
    watchdog.pause()
    yield* publisher.write(tag)
    watchdog.allow(idleTime)
  }
})

const endOf = (exit: Exit.Exit<unknown, ConnectionEnded>): PublishEnd => {
  const failure = Exit.findErrorOption(exit)
  return failure._tag === "Some" ? failure.value.end : "lost"
}

/**
 * One publication, from the publisher's admission to its end. `publisher.ended` runs once, whatever happens; the failure says
 * what the connection says last.
 */
export const runPublication = (
  link: Link,
  streamId: number,
  admission: Effect.Effect<Publisher, ConnectionEnded>,
  watchdog: Watchdog,
  idleTime: Duration.Duration
): Effect.Effect<never, ConnectionEnded> =>
  Effect.uninterruptibleMask((restore) =>
    Effect.gen(function* () {
      const publisher = yield* restore(admission)
      link.admit("publish")
      yield* Effect.ignore(link.send(started(streamId)))
      const idle = new ConnectionEnded({
        end: "idle",
        detail: "no media",
        status: { code: "NetStream.Publish.Idle", description: "No media arrived for too long." }
      })
      const exit = yield* Effect.raceAllFirst([
        passOn(link, publisher, watchdog, idleTime),
        Effect.flatMap(publisher.stopped, (reason) => Effect.fail(denied(reason))),
        Effect.andThen(watchdog.expired, Effect.fail(idle))
      ]).pipe(
        Effect.catchTag("PublishRefused", ({ reason }) => Effect.fail(denied(reason))),
        restore,
        Effect.exit
      )
      yield* publisher.ended(endOf(exit))
      return yield* exit
    })
  )
