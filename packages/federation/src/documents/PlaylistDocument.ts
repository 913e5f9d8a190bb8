import { Schema } from "effect"
import { Audience } from "../activities/Audience.ts"
import { ImageDocument } from "./ImageDocument.ts"

/** A playlist, as other instances read it (contract: Playlist). */
export const PlaylistDocument = Schema.Struct({
  ...Audience.fields,
  id: Schema.String,
  type: Schema.Literal("Playlist"),
  totalItems: Schema.Int,
  /** The first page; absent when there are no elements. */
  first: Schema.optionalKey(Schema.String),
  name: Schema.String,
  content: Schema.NullOr(Schema.String),
  mediaType: Schema.Literal("text/markdown"),
  uuid: Schema.String,
  published: Schema.String,
  updated: Schema.String,
  /** Its channel, or its owner when it is in none. */
  attributedTo: Schema.Array(Schema.String),
  audience: Schema.optionalKey(Schema.String),
  videoChannelPosition: Schema.optionalKey(Schema.Int),
  icon: Schema.optionalKey(ImageDocument)
})
export type PlaylistDocument = typeof PlaylistDocument.Type

const { first: _first, ...shared } = PlaylistDocument.fields

/** A page of the elements of a playlist, with everything that the playlist itself says. */
export const PlaylistPageDocument = Schema.Struct({
  ...shared,
  partOf: Schema.String,
  orderedItems: Schema.Array(Schema.String),
  prev: Schema.optionalKey(Schema.String),
  next: Schema.optionalKey(Schema.String)
})
export type PlaylistPageDocument = typeof PlaylistPageDocument.Type

/** An element of a playlist (contract: PlaylistElement). Timestamps are in seconds. */
export const PlaylistElementDocument = Schema.Struct({
  id: Schema.String,
  type: Schema.Literal("PlaylistElement"),
  /** The video. */
  url: Schema.String,
  /** Counted from 1. */
  position: Schema.Int,
  startTimestamp: Schema.optionalKey(Schema.Int),
  stopTimestamp: Schema.optionalKey(Schema.Int)
})
export type PlaylistElementDocument = typeof PlaylistElementDocument.Type
