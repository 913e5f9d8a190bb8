import { sameOrigin } from "@kinora/federation/authority/Authority"
import { InboxEffects } from "@kinora/storage/federation/inbox/InboxEffects"
import { InboxTargets } from "@kinora/storage/federation/inbox/InboxTargets"
import { Effect } from "effect"
import { RemoteActors } from "../../remote/RemoteActors.ts"
import { RemoteComments } from "../../remote/RemoteComments.ts"
import { RemotePlaylists } from "../../remote/RemotePlaylists.ts"
import { RemoteVideos } from "../../remote/RemoteVideos.ts"
import { addressed, change, refuse, subjectOf, type Verb } from "./Verb.ts"
import { CacheFiles } from "./CacheFiles.ts"

/**
 * Something is gone: of those it belonged to, and only of their own origin; an instance that is followed here may take down
 * what is its people's. An actor that deletes itself takes all of its own along. Comments are also taken down by whom the video
 * belongs to that they are below, wherever they come from, ours too. What is not known here is gone already.
 */
export const deletion = Effect.gen(function* () {
  const targets = yield* InboxTargets
  const effects = yield* InboxEffects
  const actors = yield* RemoteActors
  const videos = yield* RemoteVideos
  const comments = yield* RemoteComments
  const playlists = yield* RemotePlaylists
  const cacheFiles = yield* CacheFiles

  const verb: Verb = Effect.fnUntraced(function* (activity, sender) {
    const url = yield* addressed(yield* subjectOf(activity))
    const below = yield* targets.commentElsewhere(url)
    if (below?.deciders.includes(sender.id) === true) return change(effects.removeComment(below.id))
    if (!sameOrigin(url, sender.url)) return yield* refuse("what it deletes is not the sender's")
    const kept = yield* targets.kept(url)
    if (kept === undefined) return yield* cacheFiles.removal(sender, url)
    if (!kept.owners.includes(sender.id) && !(kept.kind !== "actor" && (yield* targets.standsForHost(sender.id))))
      return yield* refuse("what it deletes belongs to somebody else")
    switch (kept.kind) {
      case "actor":
        return change(Effect.asVoid(actors.remove(url)))
      case "video":
        return change(Effect.asVoid(videos.remove(url)))
      case "comment":
        return change(Effect.asVoid(comments.remove(url)))
      case "playlist":
        return change(Effect.asVoid(playlists.remove(url)))
    }
  })
  return verb
})
