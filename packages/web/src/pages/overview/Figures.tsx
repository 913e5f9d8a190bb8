import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { bytes, number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { mayUse } from "../../session/Me.ts"
import { LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("overview")

/** Figures of the instance. */
export const Figures = () => {
  const stats = useLoad("stats", (signal) => call("GET /api/v1/server/stats", { signal }))
  if (stats.failure !== undefined) {
    return <LoadFailure reason={failureWords(stats.failure)} onRetry={() => void stats.again()} />
  }
  if (stats.data === undefined) return <Skeleton rows={3} />
  const it = stats.data
  const groups = [
    {
      title: t("people"),
      href: undefined,
      figures: [
        [t("users"), number(it.totalUsers)],
        [t("activeToday"), number(it.totalDailyActiveUsers)],
        [t("activeMonth"), number(it.totalMonthlyActiveUsers)],
        [t("channels"), number(it.totalLocalVideoChannels)]
      ]
    },
    {
      title: t("videos"),
      href: undefined,
      figures: [
        [t("localVideos"), number(it.totalLocalVideos)],
        [t("views"), number(it.totalLocalVideoViews)],
        [t("comments"), number(it.totalLocalVideoComments)],
        [t("files"), bytes(it.totalLocalVideoFilesSize)]
      ]
    },
    {
      title: t("federation"),
      href: mayUse("MANAGE_SERVER_FOLLOW") ? "/admin/follows" : undefined,
      figures: [
        [t("followers"), number(it.totalInstanceFollowers)],
        [t("following"), number(it.totalInstanceFollowing)],
        [t("allVideos"), number(it.totalVideos)],
        [t("messagesWaiting"), number(it.totalActivityPubMessagesWaiting)]
      ]
    }
  ] as const
  return (
    <div class="figures">
      {groups.map(({ figures, href, title }) => (
        <section class="card" key={title} aria-label={title}>
          <h3>
            {href === undefined ? (
              title
            ) : (
              <a class="plain-link" href={href}>
                {title}
              </a>
            )}
          </h3>
          <dl class="pairs">
            {figures.map(([label, value]) => (
              <div key={label}>
                <dt>{label}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  )
}
