import { isObject, type Json } from "@kinora/federation/vocabulary/Json"
import { integerOf, listOf, timeOf } from "@kinora/federation/vocabulary/Reading"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { Clock, Duration, Effect } from "effect"
import { addressed, change, nothing, refuse, subjectOf, type Verb } from "./Verb.ts"

const mostSections = 1_000
const longestVideo = 7 * 86_400

/** Milliseconds: since when it may have begun, how far clocks may be ahead, and how long one watches. */
const oldest = Duration.toMillis(Duration.days(7))
const ahead = Duration.toMillis(Duration.hours(1))
const longest = Duration.toMillis(Duration.days(1))

const sectionsOf = (value: Json | undefined): ReadonlyArray<readonly [number, number]> =>
  listOf(value)
    .slice(0, mostSections)
    .flatMap((it): ReadonlyArray<readonly [number, number]> => {
      if (!isObject(it)) return []
      const from = integerOf(it["startTimestamp"], 0, longestVideo)
      const to = integerOf(it["endTimestamp"], 0, longestVideo)
      return from === null || to === null || to <= from ? [] : [[from, to]]
    })

/** What somebody elsewhere watched of a video of ours, for its figures. Where they are is not kept. */
export const watchAction = Effect.gen(function* () {
  const targets = yield* InboxTargets
  const effects = yield* InboxEffects

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const video = yield* targets.video(yield* addressed(yield* subjectOf(activity)))
    if (video === undefined || !video.open) return yield* refuse("no such video")
    if (video.remote) return nothing
    const { endTime, startTime, watchSections } = activity.activity
    const startedAt = timeOf(startTime)
    const endedAt = timeOf(endTime)
    if (startedAt === null || endedAt === null) return yield* refuse("no time it was watched at")
    const [start, end] = [Date.parse(startedAt), Date.parse(endedAt)]
    const now = yield* Clock.currentTimeMillis
    if (start < now - oldest || end < start || end > now + ahead || end - start > longest) {
      return yield* refuse("not a time it could have been watched at")
    }
    const sections = sectionsOf(watchSections)
    return change(effects.watched({ videoId: video.id, startedAt, endedAt, sections }, sender.host))
  })
  return verb
})
