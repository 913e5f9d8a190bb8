import { commentsPolicies } from "../enums/CommentsPolicy.ts"
import { constraints } from "../enums/Constraints.ts"
import { allNsfwFlags } from "../enums/NsfwFlag.ts"
import { videoCategories } from "../enums/VideoCategory.ts"
import { isVideoLanguage } from "../enums/VideoLanguage.ts"
import { videoLicences } from "../enums/VideoLicence.ts"
import { type VideoPrivacy, videoPrivacies, VideoPrivacy as Privacy } from "../enums/VideoPrivacy.ts"
import type { ChannelId } from "../ids/Ids.ts"
import { maxId } from "../ids/Ids.ts"
import type { Reader } from "../fields/Field.ts"
import { boolean, idOf, instant, integer, listOf, nullable, text } from "../fields/Readers.ts"
import { isAbsent, toInstant, toInteger } from "../fields/Values.ts"

const { video } = constraints

/** When a video changes its privacy by itself. */
export interface ScheduledUpdate {
  /** ISO 8601 in UTC. */
  readonly updateAt: string
  /** Public when absent. */
  readonly privacy?: VideoPrivacy
}

const between = (what: string, { max, min }: { readonly min: number; readonly max: number }) =>
  `Must be ${what} of ${min} to ${max} characters`

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
  message: "Must have updateAt, and may have the privacy public, unlisted or internal",
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

/** Readers of a video's fields in uploads, imports and changes (contract: VideoUploadRequestCommon). */
export const videoFields = {
  name: text({ ...video.name, message: between("a video name", video.name) }),
  channelId: integer({
    min: 1,
    max: maxId,
    message: "Must be the id of one of your channels",
    documented: { minimum: 1 }
  }) as Reader<ChannelId>,
  privacy: idOf(videoPrivacies, `Must be one of ${videoPrivacies.join(", ")}`),
  category: nullable(idOf(videoCategories, "Must be one of the ids that /api/v1/videos/categories lists")),
  licence: nullable(idOf(videoLicences, "Must be one of the ids that /api/v1/videos/licences lists")),
  language: nullable<string>({
    message: "Must be one of the codes that /api/v1/videos/languages lists",
    documented: { type: "string" },
    parse: (input) => (typeof input === "string" && isVideoLanguage(input) ? input : undefined)
  }),
  description: nullable(bounded("a video description", video.description)),
  support: nullable(bounded("a support text", video.support)),
  waitTranscoding: boolean(),
  generateTranscription: boolean(),
  nsfw: boolean(),
  nsfwSummary: nullable(bounded("an nsfw summary", video.nsfwSummary)),
  nsfwFlags: integer({ min: 0, max: allNsfwFlags, message: "Must be a sum of the flags 1, 2 and 4" }),
  tags: uniqueList(
    bounded("a tag", video.tag),
    video.tags,
    `Must be at most ${video.tags.max} different tags of ${video.tag.min} to ${video.tag.max} characters`
  ),
  commentsPolicy: idOf(commentsPolicies, `Must be one of ${commentsPolicies.join(", ")}`),
  downloadEnabled: boolean(),
  originallyPublishedAt: nullable(instant("Must be a date or an instant in ISO 8601")),
  scheduleUpdate: nullable(scheduledUpdate),
  videoPasswords: uniqueList(
    bounded("a video password", video.password),
    video.passwords,
    `Must be different passwords of ${video.password.min} to ${video.password.max} characters`
  ),
  filename: text({
    ...video.sourceFilename,
    message: between("a filename", video.sourceFilename)
  })
} as const
