import { InvalidDeliveryDirectives } from "@kinora/domain/errors/LiveErrors"
import { ServiceUnavailable } from "@kinora/domain/errors/ServiceErrors"
import { Context, Duration, Effect, Layer, Option } from "effect"
import { type BlockingPlaylist, type DeliveryDirectives, has, isTooFar } from "./BlockingPlaylist.ts"
import { makeWaiting } from "./Waiting.ts"

/** What players of a live ask for again and again: playlists, and the digests of its segments. */
export type LiveTexts = ReadonlyMap<string, string | BlockingPlaylist>

/** A request waits so many target durations at most (RFC 8216bis §6.2.5.2). */
const longestWait = 3

/**
 * Playlists of the lives that this node publishes, by the video's UUID and their name. They change with each segment and mean
 * nothing without the process that makes them, so they are never written to a disk.
 */
export class LivePlaylists extends Context.Service<
  LivePlaylists,
  {
    /**
     * A text, if there is one of that name. Where the directives ask for what is yet to come, it waits until it is there.
     */
    readonly read: (
      uuid: string,
      name: string,
      directives?: DeliveryDirectives
    ) => Effect.Effect<string | undefined, InvalidDeliveryDirectives | ServiceUnavailable>
    /** Replaces all texts of a live. */
    readonly show: (uuid: string, texts: LiveTexts) => void
    /** Removes these texts, unless others are shown by now: a permanent live may have begun anew. */
    readonly remove: (uuid: string, texts: LiveTexts) => void
  }
>()("@kinora/node/video/file/LivePlaylists") {
  static readonly layer = Layer.sync(LivePlaylists, () => {
    const lives = new Map<string, LiveTexts>()
    const waiting = makeWaiting()

    const find = (uuid: string, name: string) => lives.get(uuid)?.get(name)

    const read = Effect.fnUntraced(function* (uuid: string, name: string, asked?: DeliveryDirectives) {
      const found = find(uuid, name)
      if (found === undefined || typeof found === "string") return found
      const textOf = (it: BlockingPlaylist) => (asked?.skip === true ? it.delta : it.text)
      if (asked === undefined || has(found, asked)) return textOf(found)
      if (isTooFar(found, asked)) return yield* new InvalidDeliveryDirectives()
      const there = waiting.until(uuid, () => {
        const now = find(uuid, name)
        return now === undefined || typeof now === "string" || has(now, asked) ? { now } : undefined
      })
      const reached = yield* Effect.timeoutOption(there, Duration.seconds(longestWait * found.targetDuration))
      if (Option.isNone(reached)) {
        return yield* new ServiceUnavailable({ reason: "The live does not go on at the moment", retryAfterSeconds: 1 })
      }
      const { now } = reached.value
      return now === undefined || typeof now === "string" ? now : textOf(now)
    })

    return LivePlaylists.of({
      read,
      show: (uuid, texts) => {
        lives.set(uuid, texts)
        waiting.changed(uuid)
      },
      remove: (uuid, texts) => {
        if (lives.get(uuid) !== texts) return
        lives.delete(uuid)
        waiting.changed(uuid)
      }
    })
  })
}
