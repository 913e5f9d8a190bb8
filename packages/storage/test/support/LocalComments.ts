import { Effect } from "effect"
import { CommentRows } from "../../src/social/comment/CommentRows.ts"
import type { NewComment } from "../../src/social/comment/CommentWrites.ts"

/** Has an account of ours write a comment, as the program does; answers its row. */
export const localComment = (comment: Omit<NewComment, "trusted"> & { readonly trusted?: boolean }) =>
  Effect.gen(function* () {
    const rows = yield* CommentRows
    return (yield* rows.add({ trusted: false, ...comment })).id!
  }).pipe(Effect.provide(CommentRows.layer))

/** Lets everybody see a comment, as who looks after its video does. */
export const approveComment = (commentId: number) =>
  Effect.flatMap(CommentRows, (rows) => rows.approve(commentId)).pipe(Effect.provide(CommentRows.layer))
