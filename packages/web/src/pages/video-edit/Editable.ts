import { commentsPolicies } from "@kinora/domain/enums/CommentsPolicy"
import { constraints } from "@kinora/domain/enums/Constraints"
import { videoPrivacies, VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { errorsOf as errorsOfForm, type FieldErrors, updateOf, type VideoFields } from "../../video-form/Fields.ts"

export type VideoDetails = Output<"GET /api/v1/videos/:id">

/** A video and what only its people see of it. */
export interface Editable {
  readonly video: VideoDetails
  readonly passwords: ReadonlyArray<string>
}

/** Loads a video for the person who changes it. */
export const loadEditable = async (id: string, signal: AbortSignal): Promise<Answer<Editable>> => {
  const video = await call("GET /api/v1/videos/:id", { params: { id }, signal })
  if (!video.ok) return video
  if (video.body.privacy.id !== VideoPrivacy.passwordProtected) {
    return { ...video, body: { video: video.body, passwords: [] } }
  }
  const { max } = constraints.video.passwords
  const passwords = await call("GET /api/v1/videos/:id/passwords", { params: { id }, query: { count: max }, signal })
  return passwords.ok
    ? { ...passwords, body: { video: video.body, passwords: passwords.body.data.map((it) => it.password) } }
    : passwords
}

/** The form of a video, and what it has only once it is there. */
export interface EditFields extends VideoFields {
  readonly support: string
  readonly passwords: ReadonlyArray<string>
  /** A day, "" for none. */
  readonly publishedElsewhere: string
}

/** An instant as a field for local time has it. */
const localTime = (iso: string): string => {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The form of a video as it is. One that is published later is shown as what it will be. */
export const fieldsOf = ({ passwords, video }: Editable): EditFields => {
  const scheduled = video.scheduledUpdate
  const privacy = videoPrivacies.find((id) => id === video.privacy.id) ?? VideoPrivacy.private
  return {
    name: video.name,
    description: video.description ?? "",
    tags: video.tags,
    channelId: video.channel.id,
    privacy: scheduled === undefined || scheduled === null ? privacy : VideoPrivacy.public,
    password: "",
    passwords,
    publishAt: scheduled === undefined || scheduled === null ? "" : localTime(scheduled.updateAt),
    category: String(video.category.id ?? ""),
    licence: String(video.licence.id ?? ""),
    language: video.language.id ?? "",
    nsfw: video.nsfw,
    commentsPolicy: commentsPolicies.find((id) => id === video.commentsPolicy.id) ?? 1,
    downloadEnabled: video.downloadEnabled,
    support: video.support ?? "",
    publishedElsewhere: video.originallyPublishedAt?.slice(0, 10) ?? ""
  }
}

/** What is sent of the form. */
export const changesOf = (fields: EditFields) => ({
  ...updateOf(fields),
  support: fields.support.trim() === "" ? null : fields.support.trim(),
  originallyPublishedAt: fields.publishedElsewhere === "" ? null : `${fields.publishedElsewhere}T00:00:00.000Z`,
  ...(fields.privacy === VideoPrivacy.passwordProtected ? { videoPasswords: fields.passwords } : {})
})

const isWithin = (text: string, { max, min }: { readonly min: number; readonly max: number }): boolean =>
  text.length >= min && text.length <= max

export interface EditErrors extends FieldErrors {
  readonly passwords?: "passwordsWrong"
  readonly support?: "supportWrong"
}

/** What is wrong with the form at a time (milliseconds since the epoch). */
export const errorsOf = (fields: EditFields, now: number): EditErrors => {
  const { password: _password, ...errors } = errorsOfForm(fields, now)
  const { password, support } = constraints.video
  const passwordsAreRight =
    fields.privacy !== VideoPrivacy.passwordProtected ||
    (fields.passwords.length > 0 && fields.passwords.every((it) => isWithin(it, password)))
  const supportIsRight = fields.support.trim() === "" || isWithin(fields.support.trim(), support)
  return {
    ...errors,
    ...(passwordsAreRight ? {} : { passwords: "passwordsWrong" as const }),
    ...(supportIsRight ? {} : { support: "supportWrong" as const })
  }
}
