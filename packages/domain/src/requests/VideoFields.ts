import { commentsPolicies } from "../enums/CommentsPolicy.ts"
import { constraints } from "../enums/Constraints.ts"
import { allNsfwFlags } from "../enums/NsfwFlag.ts"
import { videoCategories } from "../enums/VideoCategory.ts"
import { isVideoLanguage } from "../enums/VideoLanguage.ts"
import { videoLicences } from "../enums/VideoLicence.ts"
import { type VideoPrivacy, videoPrivacies, VideoPrivacy as Privacy } from "../enums/VideoPrivacy.ts"
import type { ChannelId } from "../ids/Ids.ts"
import { maxId } from "../ids/Ids.ts"
import type { Reader } from "./Field.ts"
import { boolean, idOf, instant, integer, listOf, nullable, text } from "./Readers.ts"
import { isAbsent, toInstant, toInteger } from "./Values.ts"

const { video } = constraints

/** When a video changes its privacy by itself. */
export interface ScheduledUpdate {
  /** ISO 8601 in UTC. */
  readonly updateAt: string
  /** Public when absent. */
  readonly privacy?: VideoPrivacy
}

const between = (what: string, { max, min }: { readonly min: number; readonly max: number }) =>
  `Should have ${what} between ${min} and ${max} characters long`

const bounded = (what: string, bounds: { readonly min: number; readonly max: number }) =>
  text({ ...bounds, message: between(what, bounds) })

/** A list without repetitions; null, "null" and empty text are the empty list. */
const uniqueList = (item: Reader<string>, bounds: { readonly max: number }, message: string, documented = {}) => {
  const list = listOf(item, message, {
    type: "array",
    items: item.documented,
    maxItems: bounds.max,
    uniqueItems: true,
    ...documented
  })
  return {
    ...list,
    parse: (input: unknown) => {
      const items = isAbsent(input) ? [] : list.parse(input)
      return items === undefined || items.length > bounds.max || new Set(items).size !== items.length
        ? undefined
        : items
    }
  } satisfies Reader<ReadonlyArray<string>>
}

const scheduledUpdate: Reader<ScheduledUpdate> = {
  message: "Should have a valid schedule update: updateAt, and privacy public, unlisted or internal",
  documented: {
    type: "object",
    required: ["updateAt"],
    properties: {
      updateAt: { type: "string", format: "date-time" },
      privacy: { type: "integer", enum: [Privacy.public, Privacy.unlisted, Privacy.internal] }
    }
  },
  parse: (input) => {
    if (typeof input !== "object" || input === null) return undefined
    const { privacy, updateAt } = input as { readonly updateAt?: unknown; readonly privacy?: unknown }
    const instant = toInstant(updateAt)
    if (instant === undefined) return undefined
    if (isAbsent(privacy)) return { updateAt: instant }
    const id = toInteger(privacy)
    return id === Privacy.public || id === Privacy.unlisted || id === Privacy.internal
      ? { updateAt: instant, privacy: id }
      : undefined
  }
}

/** Readers of what is told about a video when it is uploaded, imported or changed (contract: VideoUploadRequestCommon). */
export const videoFields = {
  name: text({ ...video.name, message: between("a video name", video.name) }),
  channelId: integer({
    min: 1,
    max: maxId,
    message: "Should have a valid channel id",
    documented: { minimum: 1 }
  }) as Reader<ChannelId>,
  privacy: idOf(videoPrivacies, `Should have a valid privacy: ${videoPrivacies.join(", ")}`),
  category: nullable(idOf(videoCategories, "Should have a valid category")),
  licence: nullable(idOf(videoLicences, "Should have a valid licence")),
  language: nullable<string>({
    message: "Should have a valid language",
    documented: { type: "string" },
    parse: (input) => (typeof input === "string" && isVideoLanguage(input) ? input : undefined)
  }),
  description: nullable(bounded("a video description", video.description)),
  support: nullable(bounded("a support text", video.support)),
  waitTranscoding: boolean("waitTranscoding"),
  generateTranscription: boolean("generateTranscription"),
  nsfw: boolean("nsfw"),
  nsfwSummary: nullable(bounded("an nsfw summary", video.nsfwSummary)),
  nsfwFlags: integer({ min: 0, max: allNsfwFlags, message: "Should have valid nsfw flags" }),
  tags: uniqueList(
    bounded("tags", video.tag),
    video.tags,
    `Should have at most ${video.tags.max} different tags of ${video.tag.min} to ${video.tag.max} characters`
  ),
  commentsPolicy: idOf(commentsPolicies, `Should have a valid comments policy: ${commentsPolicies.join(", ")}`),
  downloadEnabled: boolean("downloadEnabled"),
  originallyPublishedAt: nullable(instant("Should have a valid original publication date")),
  scheduleUpdate: nullable(scheduledUpdate),
  videoPasswords: uniqueList(
    bounded("video passwords", video.password),
    video.passwords,
    `Should have different video passwords of ${video.password.min} to ${video.password.max} characters`
  ),
  filename: text({
    ...video.sourceFilename,
    message: between("a filename", video.sourceFilename)
  })
} as const
