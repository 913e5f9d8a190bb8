import { type Clock, Duration, Effect, Exit } from "effect"
import type { Publisher, PublishEnd, PublishRefused } from "../Publisher.ts"
import type { Encryption } from "./Encryption.ts"
import { openKeyMaterial } from "./KeyMaterial.ts"
import { Receiver, type ReceiverOptions } from "./Receiver.ts"
import { SrtEnded } from "./SrtEnded.ts"
import { type ControlPacket, controlType, type DataPacket } from "./SrtPacket.ts"

/** Bytes that are handed over at once. */
const handful = 64 * 1024
/** Subtypes of extensions that come while the stream goes on. */
const keySubtype = { request: 3, response: 4 } as const

export interface ConnectionOptions extends Omit<ReceiverOptions, "decryption"> {
  readonly encryption: Encryption | undefined
  readonly idleTime: Duration.Duration
}

/** Permits interruption again (`Effect.uninterruptibleMask`). */
export type Restore = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>

/** Milliseconds on a clock that does not go back. */
export const millisOf = (clock: Clock.Clock): number => Number(clock.monotonicTimeNanosUnsafe()) / 1e6

const endOf = (exit: Exit.Exit<never, SrtEnded>): PublishEnd => {
  const failure = Exit.findErrorOption(exit)
  return failure._tag === "Some" ? failure.value.end : "lost"
}

/** One publisher. The listener hands its packets to it. */
export class Connection {
  readonly #receiver: Receiver
  readonly #options: ConnectionOptions
  readonly #clock: Clock.Clock
  #wake: (() => void) | undefined
  /** A keying material message that was not opened yet. */
  #newKeys: Buffer | undefined
  #defect: { readonly cause: unknown } | undefined

  constructor(options: ConnectionOptions, clock: Clock.Clock) {
    const { encryption, ...rest } = options
    this.#options = options
    this.#clock = clock
    this.#receiver = new Receiver({ ...rest, decryption: encryption?.decryption }, millisOf(clock))
  }

  /** Takes a packet of the publisher. */
  take(packet: DataPacket | ControlPacket): void {
    const now = millisOf(this.#clock)
    if (packet.kind === "data") return this.#guard(() => this.#receiver.data(packet, now))
    if (packet.type !== controlType.extension) return this.#guard(() => this.#receiver.control(packet, now))
    if (packet.subtype === keySubtype.request) this.#newKeys ??= Buffer.from(packet.body)
  }

  /** Has to be called every 10 ms. */
  tick(): void {
    this.#guard(() => this.#receiver.tick(millisOf(this.#clock)))
    this.#wake?.()
  }

  /**
   * Passes the stream on to its end. To be called where nothing interrupts; `restore` is what permits it. `publisher.ended` runs
   * once, whatever happens.
   */
  serve = Effect.fnUntraced({ self: this }, function* (publisher: Publisher<Uint8Array>, restore: Restore) {
    const exit = yield* Effect.raceFirst(
      this.#passOn(publisher),
      Effect.flatMap(publisher.stopped, (reason) => Effect.fail(new SrtEnded({ end: "closed", detail: reason })))
    ).pipe(
      Effect.catchTag("PublishRefused", ({ reason }) => Effect.fail(new SrtEnded({ end: "closed", detail: reason }))),
      restore,
      Effect.exit
    )
    this.#receiver.shutdown(millisOf(this.#clock))
    yield* publisher.ended(endOf(exit))
    yield* Effect.catchTag(exit, "SrtEnded", ({ detail }) =>
      Effect.logDebug(`SRT connection ended: ${detail}; ${this.#receiver.lost} packets were lost`)
    )
  })

  #passOn = Effect.fnUntraced({ self: this }, function* (publisher: Publisher<Uint8Array>): Effect.fn.Return<
    never,
    SrtEnded | PublishRefused
  > {
    const idle = Duration.toMillis(this.#options.idleTime)
    for (;;) {
      if (this.#defect !== undefined) return yield* Effect.die(this.#defect.cause)
      if (this.#newKeys !== undefined) yield* this.#openKeys(this.#newKeys)
      const bytes = this.#receiver.take(handful)
      if (bytes !== undefined) {
        yield* publisher.write(bytes)
        continue
      }
      const { end, mediaAt } = this.#receiver
      if (end !== undefined) return yield* new SrtEnded({ end, detail: `${end} by the publisher` })
      if (millisOf(this.#clock) - mediaAt > idle) return yield* new SrtEnded({ end: "idle", detail: "no media" })
      yield* this.#untilTick()
    }
  })

  /** Waits for the next tick. */
  #untilTick(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      this.#wake = () => resume(Effect.void)
      return Effect.sync(() => {
        this.#wake = undefined
      })
    })
  }

  /** The publisher changes its key. */
  #openKeys = Effect.fnUntraced({ self: this }, function* (message: Buffer) {
    const { encryption } = this.#options
    if (encryption !== undefined) {
      const keys = yield* Effect.promise(() => openKeyMaterial(message, encryption.passphrase))
      if (typeof keys === "object") {
        encryption.decryption.add(keys)
        this.#receiver.post(controlType.extension, keySubtype.response, message, millisOf(this.#clock))
      }
    }
    this.#newKeys = undefined
  })

  /** A mistake of ours ends this connection, and not the listener. */
  #guard(work: () => void): void {
    try {
      work()
    } catch (cause) {
      this.#defect ??= { cause }
    }
  }
}
