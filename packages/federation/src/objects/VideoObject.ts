import { Result } from "effect"
import { originOf, sameOrigin } from "../authority/Authority.ts"
import { isObject, type JsonObject } from "../vocabulary/Json.ts"
import type { MalformedDocument } from "../vocabulary/Normalise.ts"
import { audienceOf, hashtagsOf, malformed, markdownOf, type PictureLink, picturesOf } from "./ObjectShape.ts"
import {
  addressOf,
  booleanOf,
  identifierOf,
  identifiersOf,
  integerOf,
  listOf,
  numberOf,
  secondsOf,
  textOf,
  timeOf
} from "../vocabulary/Reading.ts"
import {
  readCaptions,
  readChapters,
  readStoryboard,
  type RemoteCaption,
  type RemoteChapter,
  type RemoteStoryboard
} from "./VideoExtras.ts"
import { type RemoteFile, type RemoteHls, readLinks } from "./VideoLinks.ts"

/** Largest count that is believed. */
const maxCount = 2_000_000_000

/** A video of another instance, in the terms of our tables (contract: Video; ids of enums as there). */
export interface VideoObject {
  readonly id: string
  /** As its origin gives it; null when it gives none. */
  readonly uuid: string | null
  readonly name: string
  /** Seconds. */
  readonly duration: number
  /** Accounts and channels it is attributed to, all of its origin; never empty. */
  readonly owners: ReadonlyArray<string>
  readonly privacy: "public" | "unlisted"
  readonly state: number
  readonly category: number | null
  readonly licence: number | null
  readonly language: string | null
  readonly views: number
  readonly downloads: number
  readonly nsfw: boolean
  readonly nsfwFlags: number
  readonly nsfwSummary: string | null
  /** Markdown. */
  readonly description: string | null
  readonly support: string | null
  readonly tags: ReadonlyArray<string>
  readonly isLive: boolean
  /** When a live is announced to begin, in ISO 8601: sorted, none twice. */
  readonly schedules: ReadonlyArray<string>
  readonly commentsPolicy: 1 | 2 | 3
  readonly downloadEnabled: boolean
  readonly waitTranscoding: boolean
  readonly published: string | null
  readonly originallyPublished: string | null
  readonly updated: string | null
  readonly inputFileUpdated: string | null
  readonly aspectRatio: number | null
  readonly pictures: ReadonlyArray<PictureLink>
  readonly storyboard: RemoteStoryboard | null
  readonly captions: ReadonlyArray<RemoteCaption>
  readonly files: ReadonlyArray<RemoteFile>
  readonly hls: RemoteHls | null
  readonly trackers: ReadonlyArray<string>
  readonly likesUrl: string | null
  readonly dislikesUrl: string | null
  readonly sharesUrl: string | null
  readonly commentsUrl: string | null
  readonly chaptersUrl: string | null
  /** Where they stand in the video itself (contract: `hasParts`); null where they do not. */
  readonly chapters: ReadonlyArray<RemoteChapter> | null
}

/** Whether a video is for some alone, such as those who follow: one that names nobody is unlisted. */
export const isForSome = (object: JsonObject): boolean =>
  audienceOf(object) === "others" && [object["to"], object["cc"]].some((it) => identifiersOf(it).length > 0)

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const constant = (object: JsonObject, name: string): string | null => {
  const value = object[name]
  return isObject(value) ? textOf(value["identifier"], 40) : textOf(value, 40)
}

const constantId = (object: JsonObject, name: string): number | null => integerOf(constant(object, name), 1, 10_000)

const languagePattern = /^[a-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}$|^_unknown$/

const policyOf = (object: JsonObject): 1 | 2 | 3 => {
  const policy = integerOf(object["commentsPolicy"], 1, 3)
  if (policy !== null) return policy as 1 | 2 | 3
  return booleanOf(object["commentsEnabled"]) === false ? 2 : 1
}

const flagBits: Readonly<Record<string, number>> = { violent: 1, explicitSex: 2 }

const flagsOf = (object: JsonObject): number =>
  listOf(object["tag"])
    .slice(0, 200)
    .reduce<number>(
      (flags, tag) =>
        isObject(tag) && tag["type"] === "SensitiveTag" && typeof tag["name"] === "string"
          ? flags | (flagBits[tag["name"]] ?? 0)
          : flags,
      0
    )

/** Times that are believed of one live. */
const maxSchedules = 20

const schedulesOf = (object: JsonObject): ReadonlyArray<string> => {
  const times = listOf(object["schedules"])
    .slice(0, maxSchedules)
    .flatMap((it) => (isObject(it) ? (timeOf(it["startDate"]) ?? []) : []))
  return [...new Set(times)].toSorted()
}

/**
 * Reads a Video. Cannot do without id, name and whom it is attributed to, who must all be of its origin (corpus AP-02,
 * AP-04). One that is for some alone is refused: nobody here is one of them.
 */
export const decodeVideo = (object: JsonObject): Result.Result<VideoObject, MalformedDocument> => {
  const id = identifierOf(object)
  if (id === null || originOf(id) === null) return malformed("a video without id")
  if (object["type"] !== "Video") return malformed("no video")
  if (isForSome(object)) return malformed("a video that is not for everybody")
  const name = textOf(object["name"], 120)
  if (name === null) return malformed("a video without name")
  const owners = [...new Set(identifiersOf(object["attributedTo"]))]
  if (owners.length === 0 || owners.length > 10) return malformed("a video of nobody")
  if (!owners.every((it) => sameOrigin(it, id))) return malformed("a video of somebody of another origin")
  const own = (member: string): string | null => {
    const address = addressOf(identifierOf(object[member]))
    return address !== null && sameOrigin(address, id) ? address : null
  }
  const uuid = textOf(object["uuid"], 36)?.toLowerCase() ?? ""
  const language = constant(object, "language")
  const count = (member: string) => integerOf(object[member], 0, maxCount) ?? 0
  const aspectRatio = numberOf(object["aspectRatio"])
  const flags = flagsOf(object)
  const links = readLinks(object)
  const parts = object["hasParts"]
  const isLive = booleanOf(object["isLiveBroadcast"]) ?? false
  return Result.succeed({
    id,
    uuid: uuidPattern.test(uuid) ? uuid : null,
    name,
    duration: secondsOf(object["duration"]) ?? integerOf(object["duration"], 0, 0x7f_ff_ff_ff) ?? 0,
    owners,
    privacy: audienceOf(object) === "public" ? "public" : "unlisted",
    state: integerOf(object["state"], 1, 12) ?? 1,
    category: constantId(object, "category"),
    licence: constantId(object, "licence"),
    language: language !== null && languagePattern.test(language) ? language : null,
    views: count("views"),
    downloads: count("downloads"),
    nsfw: booleanOf(object["sensitive"]) ?? flags > 0,
    nsfwFlags: flags,
    nsfwSummary: textOf(object["summary"], 250),
    description: markdownOf(object, "content", 10_000, "guess"),
    support: textOf(object["support"], 1_000),
    tags: hashtagsOf(object),
    isLive,
    schedules: isLive ? schedulesOf(object) : [],
    commentsPolicy: policyOf(object),
    downloadEnabled: booleanOf(object["downloadEnabled"]) ?? true,
    waitTranscoding: booleanOf(object["waitTranscoding"]) ?? false,
    published: timeOf(object["published"]),
    originallyPublished: timeOf(object["originallyPublishedAt"]),
    updated: timeOf(object["updated"]),
    inputFileUpdated: timeOf(object["uploadDate"]),
    aspectRatio: aspectRatio !== null && aspectRatio > 0.01 && aspectRatio < 100 ? aspectRatio : null,
    pictures: picturesOf(object["icon"], 8),
    storyboard: readStoryboard(object["preview"]),
    captions: readCaptions(object["subtitleLanguage"]),
    ...links,
    likesUrl: own("likes"),
    dislikesUrl: own("dislikes"),
    sharesUrl: own("shares"),
    commentsUrl: own("comments"),
    chaptersUrl: own("hasParts"),
    chapters: Array.isArray(parts) ? readChapters(parts) : null
  })
}
