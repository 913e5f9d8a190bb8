import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { Effect } from "effect"
import { change, countedVideo, type Verb } from "./Verb.ts"

/** A file of a video was downloaded elsewhere: sent to the video's instance, and by that instance to others (corpus AP-27). */
export const download = Effect.gen(function* () {
  const videoOf = countedVideo(yield* InboxTargets)
  const effects = yield* InboxEffects

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const video = yield* videoOf(activity, sender)
    return change(effects.download(video.id, sender.host))
  })
  return verb
})
