import type { FlvTag, MediaTag } from "@kinora/ingest/flv/FlvTag"
import { type Cause, Effect, Queue, type Scope, Stream } from "effect"

type TagQueue = Queue.Queue<FlvTag, Cause.Done>

/** Tags that have come. */
type Tags = Effect.Effect<ReadonlyArray<FlvTag>, Cause.Done>

/** Tags that wait for a follower: few, so that a publisher who is faster is slowed down at once. */
const followerTags = 32
/** What a player may be behind. */
const playerBytes = 32 * 1024 * 1024
/** What is kept since the last keyframe. Of a stream with more, players begin at the next keyframe. */
const keptBytes = 16 * 1024 * 1024

interface Player {
  readonly queue: TagQueue
  /** Bytes that wait for it. */
  waiting: number
  /** It has received nothing yet that can be decoded, and begins at the next keyframe. */
  needsKeyframe: boolean
}

const isKeyframe = (tag: FlvTag): boolean => tag.kind === "video" && tag.keyframe && !tag.sequenceHeader

/**
 * Hands one publisher's stream to those who read it. Followers receive every tag, and hold the publisher back while they are
 * behind. Players begin in the middle, with the headers and the last keyframe; one that is too far behind is dropped.
 */
export class StreamRelay {
  readonly #followers = new Set<TagQueue>()
  readonly #players = new Set<Player>()
  readonly #headers = new Map<string, MediaTag>()
  #script: FlvTag | undefined
  /** From the last keyframe on. */
  #recent: Array<FlvTag> = []
  #recentBytes = 0
  #ended = false

  /** Whether the publisher's connection is over. */
  get isEnded(): boolean {
    return this.#ended
  }

  /** Passes a tag on. Suspends while a follower is behind. */
  add(tag: FlvTag): Effect.Effect<void> {
    return Effect.suspend(() => {
      this.#keep(tag)
      const late = [...this.#players].filter((player) => !this.#offer(player, tag))
      // A queue with room takes it at once: there is nothing to wait for.
      const full = [...this.#followers].filter((queue) => !Queue.offerUnsafe(queue, tag))
      if (late.length === 0 && full.length === 0) return Effect.void
      return Effect.andThen(
        Effect.forEach(late, (player) => this.#drop(player), { discard: true }),
        Effect.forEach(full, (queue) => Queue.offer(queue, tag), { discard: true })
      )
    })
  }

  /** Says that nothing follows. */
  readonly end: Effect.Effect<void> = Effect.suspend(() => {
    this.#ended = true
    const queues = [...this.#followers, ...[...this.#players].map(({ queue }) => queue)]
    return Effect.forEach(queues, (queue) => Queue.end(queue), { discard: true })
  })

  /**
   * Takes everything from now on, as many tags at once as there are, preceded by what decoding starts with. Fails with `Done`
   * when nothing follows. Ends with the scope.
   */
  readonly follow: Effect.Effect<Tags, never, Scope.Scope> = Effect.suspend(() =>
    Effect.map(
      Effect.acquireRelease(Queue.bounded<FlvTag, Cause.Done>(followerTags), (queue) =>
        // A publisher that waits for this follower goes on.
        Effect.andThen(
          Effect.sync(() => void this.#followers.delete(queue)),
          Queue.shutdown(queue)
        )
      ),
      (queue) => {
        let beginning = this.#beginning()
        if (this.#ended) Queue.endUnsafe(queue)
        else this.#followers.add(queue)
        return Effect.suspend(() => {
          const first = beginning
          beginning = []
          return first.length > 0 ? Effect.succeed(first) : Queue.takeAll(queue)
        })
      }
    )
  )

  /** The same for a player, from the moment at which it begins to read. */
  readonly play: Stream.Stream<FlvTag> = Stream.unwrap(
    Effect.map(
      Effect.acquireRelease(
        Effect.map(Queue.unbounded<FlvTag, Cause.Done>(), (queue) => {
          const needsKeyframe = this.#recent.length === 0 && this.#headers.has("video")
          const player: Player = { queue, waiting: 0, needsKeyframe }
          if (this.#ended) Queue.endUnsafe(queue)
          else this.#players.add(player)
          return { player, beginning: this.#beginning() }
        }),
        ({ player }) =>
          Effect.andThen(
            Effect.sync(() => void this.#players.delete(player)),
            Queue.shutdown(player.queue)
          )
      ),
      ({ beginning, player }) =>
        Stream.concat(
          Stream.fromIterable(beginning),
          Stream.tap(Stream.fromQueue(player.queue), (tag) =>
            Effect.sync(() => void (player.waiting -= tag.payload.length))
          )
        )
    )
  )

  #keep(tag: FlvTag): void {
    if (tag.kind === "script") {
      this.#script = tag
      return
    }
    if (tag.sequenceHeader) {
      this.#headers.set(tag.kind, tag)
      return
    }
    if (isKeyframe(tag)) {
      this.#recent = []
      this.#recentBytes = 0
    } else if (this.#recent.length === 0) return
    this.#recent.push(tag)
    this.#recentBytes += tag.payload.length
    if (this.#recentBytes > keptBytes) this.#recent = []
  }

  /** Metadata, headers, and the tags since the last keyframe. */
  #beginning(): ReadonlyArray<FlvTag> {
    const headers = [...(this.#script === undefined ? [] : [this.#script]), ...this.#headers.values()]
    const [first] = this.#recent
    const timestamp = first?.timestamp
    return [...headers.map((tag) => (timestamp === undefined ? tag : { ...tag, timestamp })), ...this.#recent]
  }

  /** False: the player is too far behind. */
  #offer(player: Player, tag: FlvTag): boolean {
    if (player.needsKeyframe) {
      const isHeader = tag.kind === "script" || tag.sequenceHeader
      if (isKeyframe(tag)) player.needsKeyframe = false
      else if (!isHeader) return true
    }
    player.waiting += tag.payload.length
    if (player.waiting > playerBytes) return false
    Queue.offerUnsafe(player.queue, tag)
    return true
  }

  #drop(player: Player): Effect.Effect<void> {
    this.#players.delete(player)
    return Effect.andThen(Queue.clear(player.queue), Effect.asVoid(Queue.end(player.queue)))
  }
}
