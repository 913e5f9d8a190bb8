import { assert, describe, it } from "@effect/vitest"
import { VideoComment } from "@kinora/domain/wire/Comment"
import { Schema } from "effect"
import { commentHead, commentTail } from "../../../src/social/comment/CommentJson.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(VideoComment))
const time = "2026-01-02T03:04:05.678Z"

const row = {
  id: 5,
  url: "https://videos.example/videos/watch/u/comments/5",
  text: 'a "quote", a \\ and a\nline\u2028\u0001',
  threadId: 4,
  inReplyToCommentId: 4,
  createdAt: time,
  updatedAt: time,
  heldForReview: false,
  authorActorId: null,
  videoId: 9,
  deletedAt: null,
  repliesOfOwner: 0,
  replies: 0
}

describe("the JSON of a comment", () => {
  it("is two texts around its author's, and together what the schema says", () => {
    const comment = decode(`${commentHead(row)}null${commentTail(row)}`)
    assert.deepStrictEqual([comment.text, comment.account, comment.isDeleted], [row.text, null, false])
  })

  it("says when it was deleted", () => {
    const comment = decode(`${commentHead(row)}null${commentTail({ ...row, deletedAt: time })}`)
    assert.deepStrictEqual([comment.deletedAt, comment.isDeleted], [time, true])
  })
})
