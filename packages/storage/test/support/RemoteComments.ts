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

/** The repository that writes what others say, to act on as the program does. */
const withRows = <A, E>(use: (rows: RemoteCommentRows["Service"]) => Effect.Effect<A, E>) =>
  Effect.flatMap(RemoteCommentRows, use).pipe(Effect.provide(RemoteCommentRows.layer))

/** Its author changes a comment of an account elsewhere. */
export const editRemoteComment = (url: string, text: string) =>
  withRows((rows) => Effect.flatMap(rows.byUrl(url), (comment) => rows.edit(comment!.id, text, null)))

/** Its author deletes it. */
export const removeRemoteComment = (url: string) => withRows((rows) => rows.remove(url))

/** It comes again with an approval. */
export const forwardRemoteComment = (commentId: number, approvalUrl: string) =>
  withRows((rows) => rows.forward(commentId, approvalUrl))
