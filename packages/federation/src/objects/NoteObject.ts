import { Result } from "effect"
import { originOf, sameOrigin } from "../authority/Authority.ts"
import type { JsonObject } from "../vocabulary/Json.ts"
import type { MalformedDocument } from "../vocabulary/Normalise.ts"
import { audienceOf, malformed, markdownOf } from "./ObjectShape.ts"
import { addressOf, identifierOf, identifiersOf, timeOf } from "../vocabulary/Reading.ts"

/** Types that others write comments as. */
export const noteTypes = ["Note", "Page", "Article", "Question"] as const

/** A comment of another instance. */
export interface NoteObject {
  readonly id: string
  readonly author: string
  readonly inReplyTo: string
  /** Markdown, never empty. */
  readonly text: string
  readonly published: string | null
  readonly updated: string | null
  /** The approval by whom the video belongs to, which is theirs to give and is asked of them. */
  readonly replyApproval: string | null
}

const maxText = 10_000

/**
 * Reads a Note. Cannot do without id, author, text, and what it replies to. One that is not for everybody is refused: what is
 * said to a few is not put below a video.
 */
export const decodeNote = (object: JsonObject): Result.Result<NoteObject, MalformedDocument> => {
  const id = identifierOf(object)
  if (id === null || originOf(id) === null) return malformed("a note without id")
  if (!noteTypes.some((it) => it === object["type"])) return malformed("no note")
  const authors = identifiersOf(object["attributedTo"])
  const author = authors[0]
  if (author === undefined || !authors.every((it) => sameOrigin(it, id)))
    return malformed("a note of nobody of its origin")
  const inReplyTo = identifierOf(object["inReplyTo"])
  if (inReplyTo === null || originOf(inReplyTo) === null) return malformed("a note that replies to nothing")
  if (audienceOf(object) === "others") return malformed("a note that is not for everybody")
  const text = markdownOf(object, "content", maxText, "html")
  if (text === null) return malformed("a note without text")
  return Result.succeed({
    id,
    author,
    inReplyTo,
    text,
    published: timeOf(object["published"]),
    updated: timeOf(object["updated"]),
    replyApproval: addressOf(identifierOf(object["replyApproval"]))
  })
}
