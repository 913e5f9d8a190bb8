import { text } from "../../i18n/Text.ts"
import { clock } from "../../i18n/Units.ts"
import { Icon } from "../../ui/Icon.tsx"
import { Badge } from "../../ui/States.tsx"
import type { Report } from "./Reports.ts"

const t = text("reports")

const watchAt = (uuid: string, startAt: number | null): string =>
  `/w/${uuid}${startAt === null ? "" : `?start=${startAt}`}`

const ReportedVideo = ({ video }: { readonly video: NonNullable<Report["video"]> }) => {
  const href = watchAt(video.shortUUID, video.startAt)
  const picture = video.thumbnailPath
  const at =
    video.startAt === null
      ? undefined
      : video.endAt === null
        ? clock(video.startAt)
        : `${clock(video.startAt)} – ${clock(video.endAt)}`
  return (
    <div class="reported">
      {video.deleted ? (
        <span class="v-thumb" />
      ) : (
        <a class="v-thumb" href={href} tabIndex={-1} aria-hidden="true">
          {picture !== undefined && <img src={picture} alt="" loading="lazy" width="128" height="72" />}
          {at !== undefined && <span class="v-length">{at}</span>}
        </a>
      )}
      <div class="v-facts">
        {video.deleted ? <strong>{video.name}</strong> : <a href={href}>{video.name}</a>}
        <span>
          {video.channel === undefined
            ? t("nthReport", { nth: video.nthReport, count: video.countReports })
            : `${video.channel.displayName} · ${t("nthReport", { nth: video.nthReport, count: video.countReports })}`}
        </span>
        {!video.deleted && at !== undefined && (
          <a class="plain-link" href={href}>
            <Icon name="play" size={16} /> {t("watchAt", { at })}
          </a>
        )}
        <div class="badges">
          {video.deleted && <Badge>{t("videoDeleted")}</Badge>}
          {video.blacklisted && <Badge kind="bad">{t("videoBlocked")}</Badge>}
          {video.nsfw && <Badge kind="warn">{t("sensitive")}</Badge>}
        </div>
      </div>
    </div>
  )
}

const ReportedComment = ({ comment }: { readonly comment: NonNullable<Report["comment"]> }) => (
  <div class="quote">
    <blockquote class="words">{comment.text === "" ? t("emptyComment") : comment.text}</blockquote>
    <p>
      {comment.deleted ? (
        <Badge>{t("commentGone")}</Badge>
      ) : (
        <a class="plain-link" href={`/w/${comment.video.uuid};threadId=${comment.threadId}`}>
          {t("commentOn", { name: comment.video.name })}
        </a>
      )}
    </p>
  </div>
)

/** The video, the comment or the account that a report is about. */
export const Reported = ({ report }: { readonly report: Report }) => {
  if (report.comment !== undefined) return <ReportedComment comment={report.comment} />
  return report.video === undefined ? null : <ReportedVideo video={report.video} />
}
