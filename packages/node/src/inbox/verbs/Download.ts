import { InboxEffects } from "@kinora/storage/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/inbox/InboxTargets"
import { Effect } from "effect"
import { addressed, change, refuse, subjectOf, type Verb } from "../Verb.ts"

/** A file of a video was downloaded elsewhere: told to its instance, and by its instance to others (corpus AP-27). */
export const download = Effect.gen(function* () {
  const targets = yield* InboxTargets
  const effects = yield* InboxEffects

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const video = yield* targets.video(yield* addressed(yield* subjectOf(activity)))
    if (video === undefined || !video.open) return yield* refuse("no such video")
    if (video.remote && video.host?.toLowerCase() !== sender.host.toLowerCase()) {
      return yield* refuse("only its own instance tells of it")
    }
    return change(effects.download(video.id, sender.host))
  })
  return verb
})
