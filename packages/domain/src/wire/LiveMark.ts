import { Schema } from "effect"
import { Page, Timestamp } from "./Scalars.ts"

/** A moment of a live that becomes a chapter of its replay (ours, not the contract's). */
export const LiveMark = Schema.Struct({
  id: Schema.Int,
  title: Schema.String,
  createdAt: Timestamp
}).annotate({ identifier: "LiveMark" })
export type LiveMark = typeof LiveMark.Type

export const LiveMarkList = Page(LiveMark)
export type LiveMarkList = typeof LiveMarkList.Type
