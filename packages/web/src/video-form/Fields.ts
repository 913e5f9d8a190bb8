import { constraints } from "@kinora/domain/enums/Constraints"
import { VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { Input } from "../api/Endpoints.ts"

const { video } = constraints

/** What the form of a video holds; texts as they are typed. */
export interface VideoFields {
  readonly name: string
  readonly description: string
  readonly tags: ReadonlyArray<string>
  readonly channelId: number
  readonly privacy: VideoPrivacy
  readonly password: string
  /** Local time as the browser's field has it, "" for at once. */
  readonly publishAt: string
  /** "" for none. */
  readonly category: string
  readonly licence: string
  readonly language: string
  readonly nsfw: boolean
  readonly commentsPolicy: 1 | 2 | 3
  readonly downloadEnabled: boolean
}

/** The form of a file that has just been chosen. */
export const newFields = (filename: string, channelId: number): VideoFields => ({
  name: filename
    .replace(/\.[^.]+$/, "")
    .replaceAll(/[_\s]+/g, " ")
    .trim()
    .slice(0, video.name.max),
  description: "",
  tags: [],
  channelId,
  privacy: VideoPrivacy.public,
  password: "",
  publishAt: "",
  category: "",
  licence: "",
  language: "",
  nsfw: false,
  commentsPolicy: 1,
  downloadEnabled: true
})

type Update = Exclude<Input<"PUT /api/v1/videos/:id">["body"], FormData>

const numberOrNull = (text: string): number | null => (text === "" ? null : Number(text))

/** What is sent of the form. A video that is published later is private until then. */
export const updateOf = (fields: VideoFields): Update => {
  const scheduled = fields.publishAt !== "" && fields.privacy === VideoPrivacy.public
  const description = fields.description.trim()
  return {
    name: fields.name.trim(),
    description: description === "" ? null : description,
    tags: fields.tags,
    channelId: fields.channelId,
    privacy: scheduled ? VideoPrivacy.private : fields.privacy,
    category: numberOrNull(fields.category),
    licence: numberOrNull(fields.licence),
    language: fields.language === "" ? null : fields.language,
    nsfw: fields.nsfw,
    commentsPolicy: fields.commentsPolicy,
    downloadEnabled: fields.downloadEnabled,
    scheduleUpdate: scheduled
      ? { updateAt: new Date(fields.publishAt).toISOString(), privacy: VideoPrivacy.public }
      : null,
    ...(fields.privacy === VideoPrivacy.passwordProtected && fields.password !== ""
      ? { videoPasswords: [fields.password] }
      : {})
  }
}

/** Fields that the browser itself finds wrong, by the key of the message that says so. */
export type FieldErrors = Partial<
  Record<
    "name" | "description" | "tags" | "password" | "publishAt",
    "nameWrong" | "descriptionWrong" | "tagsWrong" | "passwordWrong" | "publishAtWrong"
  >
>

const lengthOf = (text: string): number => Array.from(text.trim()).length
const isWithin = (text: string, { max, min }: { readonly min: number; readonly max: number }): boolean =>
  lengthOf(text) >= min && lengthOf(text) <= max

/** What is wrong with a form at a time (milliseconds since the epoch); nothing: it can be sent. */
export const errorsOf = (fields: VideoFields, now: number): FieldErrors => ({
  ...(isWithin(fields.name, video.name) ? {} : { name: "nameWrong" as const }),
  ...(lengthOf(fields.description) === 0 || isWithin(fields.description, video.description)
    ? {}
    : { description: "descriptionWrong" as const }),
  ...(fields.tags.every((tag) => isWithin(tag, video.tag)) ? {} : { tags: "tagsWrong" as const }),
  ...(fields.privacy !== VideoPrivacy.passwordProtected || isWithin(fields.password, video.password)
    ? {}
    : { password: "passwordWrong" as const }),
  ...(fields.publishAt === "" || Date.parse(fields.publishAt) > now ? {} : { publishAt: "publishAtWrong" as const })
})
