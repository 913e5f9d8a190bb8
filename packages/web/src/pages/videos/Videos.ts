import { type VideoPrivacy } from "@kinora/domain/enums/VideoPrivacy"
import type { Answer, Failure } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import type { Input, Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { confirm } from "../../ui/Confirm.tsx"
import { toast } from "../../ui/Toasts.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("videos")

export type MyVideo = Output<"GET /api/v1/users/me/videos">["data"][number]

type Sort = NonNullable<NonNullable<Input<"GET /api/v1/users/me/videos">["query"]>["sort"]>

const columns = ["name", "createdAt", "views", "duration", "comments"] as const
const sorts: ReadonlyArray<Sort> = columns.flatMap((it) => [it, `-${it}` as const])

/** The order in the address; newest first where there is none. */
export const asSort = (text: string | null): Sort => sorts.find((it) => it === text) ?? "-createdAt"

/** The same with every video, a few at a time; says what came of it. Whether any of them went well. */
const withAll = async (
  videos: ReadonlyArray<MyVideo>,
  act: (video: MyVideo) => Promise<Answer>,
  said: (count: number) => string
): Promise<boolean> => {
  const failures: Array<Failure> = []
  for (let at = 0; at < videos.length; at += 4) {
    const answers = await Promise.all(videos.slice(at, at + 4).map(act))
    for (const answer of answers) if (!answer.ok && answer.status !== 404) failures.push(answer)
  }
  const [first] = failures
  if (first !== undefined) toast(t("someFailed", { count: failures.length, reason: failureWords(first) }), "failed")
  const went = videos.length - failures.length
  if (went > 0) toast(said(went))
  return went > 0
}

/** Deletes videos once the person has said yes. */
export const deleteAll = async (videos: ReadonlyArray<MyVideo>): Promise<boolean> => {
  const yes = await confirm({
    title: t("deleteTitle", { count: videos.length }),
    text: t("deleteText", { count: videos.length, name: videos[0]?.name ?? "" }),
    action: t("delete"),
    danger: true
  })
  if (!yes) return false
  return await withAll(
    videos,
    (it) => call("DELETE /api/v1/videos/:id", { params: { id: it.id } }),
    (count) => t("deleted", { count })
  )
}

/** Changes who may see videos. */
export const changePrivacy = (videos: ReadonlyArray<MyVideo>, privacy: VideoPrivacy): Promise<boolean> =>
  withAll(
    videos,
    (it) => call("PUT /api/v1/videos/:id", { params: { id: it.id }, body: { privacy } }),
    (count) => t("changed", { count })
  )
