import { assert, describe, it } from "@effect/vitest"
import type { Schema } from "effect"
import { Account, AccountSummary, VideoChannelSummary } from "../../src/wire/Account.ts"
import { ActorImage } from "../../src/wire/ActorImage.ts"
import { NodeInfo, NodeInfoLinks, OEmbed, WebFinger } from "../../src/wire/Discovery.ts"
import { Job } from "../../src/wire/Job.ts"
import { MyUser, UserVideoChannel } from "../../src/wire/MyUser.ts"
import { MyVideoRating, VideoImport, VideoImportsList } from "../../src/wire/MyUserAnswers.ts"
import { ServerConfig } from "../../src/wire/ServerConfig.ts"
import { ServerConfigAbout } from "../../src/wire/ServerConfigAbout.ts"
import { OAuthClient, ScopedToken, TokenSession } from "../../src/wire/Session.ts"
import { Thumbnail } from "../../src/wire/Thumbnail.ts"
import { CommentThreads, CommentTree, ManagedComment, VideoComment, WrittenComment } from "../../src/wire/Comment.ts"
import { Video, VideoDetails, VideoList } from "../../src/wire/Video.ts"
import { Storyboard, VideoCaption, VideoTokenResponse, VideoUploadResponse } from "../../src/wire/VideoAnswers.ts"
import { VideoChannel } from "../../src/wire/VideoChannel.ts"
import { VideoFile, VideoFileMetadata, VideoSource, VideoStreamingPlaylist } from "../../src/wire/VideoFile.ts"
import { VideoPlaylist, VideoPlaylistElement } from "../../src/wire/VideoPlaylist.ts"
import {
  VideoStatsOverall,
  VideoStatsRetention,
  VideoStatsTimeserie,
  VideoStatsUserAgent
} from "../../src/wire/VideoStats.ts"
import { shapes } from "../fixtures/Shapes.ts"

type Ast = Schema.Top["ast"]

const ours: Readonly<Record<string, Schema.Top>> = {
  Video,
  VideoDetails,
  VideoComment,
  CommentThreadResponse: CommentThreads,
  CommentThreadPostResponse: WrittenComment,
  VideoCommentThreadTree: CommentTree,
  VideoCommentForOwnerOrAdmin: ManagedComment,
  VideoPlaylist,
  VideoPlaylistElement,
  VideoFile,
  VideoStreamingPlaylists: VideoStreamingPlaylist,
  Thumbnail,
  AccountSummary,
  VideoChannelSummary,
  Account,
  VideoChannel,
  ActorImage,
  ServerConfig,
  ServerConfigAbout,
  NodeInfo,
  NodeInfoLinks,
  WebFinger,
  VideoUploadResponse,
  VideoSource,
  VideoFileMetadata,
  Storyboard,
  VideoCaption,
  VideoTokenResponse,
  TokenSession,
  ScopedToken,
  OAuthClient,
  Job,
  VideoListResponse: VideoList,
  OEmbed,
  VideoImport,
  VideoImportsList,
  GetMeVideoRating: MyVideoRating,
  MyUser,
  UserVideoChannel,
  VideoStatsOverall,
  VideoStatsRetention,
  VideoStatsTimeserie,
  VideoStatsUserAgent
}

/** Where we differ on purpose. */
const differences = new Set([
  // Web-video files have no playlist of their own.
  "VideoFile.playlistUrl: optional",
  // A file of another instance may have no torrent, and its playlist no list of hashes.
  "VideoFile.magnetUri: null",
  "VideoFile.torrentUrl: null",
  "VideoFile.torrentDownloadUrl: null",
  "VideoStreamingPlaylists.segmentsSha256Url: null",
  // What the instance was not told is null, as recorded answers have it.
  "UserVideoChannel.description: null",
  "UserVideoChannel.support: null",
  // A caption of a video without HLS has no playlist.
  "VideoCaption.m3u8Url: null",
  // Nobody is told who wrote what was deleted.
  "VideoComment.account: null",
  // A playlist without a channel has no place in one.
  "VideoPlaylist.videoChannelPosition: null",
  // An element that begins and ends with its video, and one whose video is gone or closed (operations, and as answered).
  "VideoPlaylistElement.startTimestamp: null",
  "VideoPlaylistElement.stopTimestamp: null",
  "VideoPlaylistElement.video: null",
  // An import has one of three sources; the bytes of a torrent file are sent, never told.
  "VideoImport.targetUrl: null",
  "VideoImport.magnetUri: null",
  "VideoImport.torrentName: null",
  "VideoImport.torrentfile: missing",
  // A job that still runs has not finished.
  "Job.processedOn: null",
  "Job.finishedOn: null"
])

/** Fields of `{a:T,b?:T}` with their types, at the outermost level. */
const fieldsOf = (text: string): ReadonlyArray<readonly [string, string]> => {
  const fields: Array<string> = []
  let depth = 0
  let from = 1
  for (let i = 1; i < text.length - 1; i++) {
    if ("{(<[".includes(text[i]!)) depth++
    if ("})>]".includes(text[i]!)) depth--
    if (text[i] === "," && depth === 0) {
      fields.push(text.slice(from, i))
      from = i + 1
    }
  }
  fields.push(text.slice(from, -1))
  return fields.map((field) => {
    const colon = field.indexOf(":")
    const name = field.slice(0, colon)
    return name.endsWith("?") ? [name.slice(0, -1), `${field.slice(colon + 1)}?`] : [name, field.slice(colon + 1)]
  })
}

const withoutNull = (ast: Ast): Ast =>
  ast._tag === "Union" ? (ast.types.find(({ _tag }) => _tag !== "Null") ?? ast) : ast

const compare = (at: string, fields: ReadonlyArray<readonly [string, string]>, ast: Ast): Array<string> => {
  if (ast._tag !== "Objects") return ast._tag === "Unknown" ? [] : [`${at}: not an object`]
  const properties = new Map(ast.propertySignatures.map(({ name, type }) => [String(name), type]))
  return fields.flatMap(([name, written]) => {
    const path = `${at}.${name}`
    const property = properties.get(name)
    if (property === undefined) return [`${path}: missing`]
    const found: Array<string> = []
    if (property.context?.isOptional === true && !written.endsWith("?")) found.push(`${path}: optional`)
    const type = written.replace(/\?$/, "")
    const nullable = property._tag === "Union" && property.types.some(({ _tag }) => _tag === "Null")
    if (nullable && !/\bnull\b|^any$/.test(type)) found.push(`${path}: null`)
    const inner = withoutNull(property)
    const object = type.replace(/\|null$/, "")
    if (object.startsWith("{") && object.endsWith("}")) found.push(...compare(path, fieldsOf(object), inner))
    if (object.startsWith("{") && object.endsWith("}[]")) {
      const item = inner._tag === "Arrays" ? inner.rest[0] : undefined
      found.push(...(item === undefined ? [`${path}: not a list`] : compare(path, fieldsOf(object.slice(0, -2)), item)))
    }
    return found
  })
}

describe("wire shapes", () => {
  it.each([...shapes])("%s has the fields of the contract", (name, fields) => {
    const schema = ours[name]
    assert.isDefined(schema, `${name} has no schema`)
    const found = compare(name, Object.entries(fields), schema!.ast)
    assert.deepStrictEqual(
      found.filter((difference) => !differences.has(difference)),
      []
    )
  })

  it("differs where it says so, and nowhere else", () => {
    const found = new Set(
      [...shapes].flatMap(([name, fields]) => compare(name, Object.entries(fields), ours[name]!.ast))
    )
    assert.deepStrictEqual(found, differences)
  })
})
