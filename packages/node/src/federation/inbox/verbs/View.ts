import { isObject } from "@kinora/federation/vocabulary/Json"
import { integerOf, timeOf } from "@kinora/federation/vocabulary/Reading"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { Clock, DateTime, Duration, Effect } from "effect"
import { change, countedVideo, refuse, type Verb } from "./Verb.ts"

/** Nobody is a viewer for longer without saying so again. */
const longest = Duration.toMillis(Duration.minutes(10))
const maxViewers = 10_000_000

/**
 * Somebody watched a video: a view of it, or with `expires` a viewer of now. Instances tell of a video of ours one by one, and
 * of their own videos how many there are (`result`); of the videos of others nobody else tells (corpus AP-27).
 */
export const view = Effect.gen(function* () {
  const videoOf = countedVideo(yield* InboxTargets)
  const effects = yield* InboxEffects

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const video = yield* videoOf(activity, sender)
    const { expires, result } = activity.activity
    if (expires === undefined || expires === null) return change(effects.view(video.id, sender.host))
    const until = timeOf(expires)
    const now = yield* Clock.currentTimeMillis
    if (until === null || Date.parse(until) <= now) return yield* refuse("it is over")
    const told = isObject(result) ? integerOf(result["userInteractionCount"], 0, maxViewers) : null
    if (isObject(result) && told === null) return yield* refuse("a number of viewers that cannot be")
    // How many watch a video of ours is ours to count.
    const viewers = video.remote ? (told ?? 1) : 1
    const expiresAt = DateTime.makeUnsafe(Math.min(Date.parse(until), now + longest))
    return change(
      effects.viewers({
        videoId: video.id,
        viewer: video.remote && told !== null ? sender.host : activity.id,
        host: sender.host,
        viewers,
        expiresAt: DateTime.formatIso(expiresAt)
      })
    )
  })
  return verb
})
