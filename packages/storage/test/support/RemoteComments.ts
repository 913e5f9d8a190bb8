import { Effect } from "effect"
import { RemoteCommentRows } from "../../src/federation/remote/RemoteCommentRows.ts"

/** Writes comments of an account elsewhere that begin a thread each, as the program does; answers their rows. */
export const remoteComments = (
  videoId: number,
  accountId: number,
  said: ReadonlyArray<{ readonly url: string; readonly text?: string; readonly hold?: boolean }>
) =>
  Effect.gen(function* () {
    const rows = yield* RemoteCommentRows
    const added = yield* rows.addAll(
      said.map(({ hold = false, text = "Words", url }) => ({
        ...{ url, videoId, accountId, parent: null, text, published: null, updated: null, hold, news: false }
      }))
    )
    return added.map(({ id }) => id!)
  }).pipe(Effect.provide(RemoteCommentRows.layer))
