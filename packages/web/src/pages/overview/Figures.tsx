import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { bytes, number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { mayUse } from "../../session/Me.ts"
import { LoadFailure } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"

const t = text("overview")

/** Figures of the instance. */
export const Figures = () => {
  const stats = useLoad("stats", (signal) => call("GET /api/v1/server/stats", { signal }))
  if (stats.failure !== undefined) {
    return <LoadFailure reason={failureWords(stats.failure)} onRetry={() => void stats.again()} />
  }
  const it = stats.data
  // The cards are there before their figures: nothing moves when these come.
  const count = (value: number | undefined): string => (value === undefined ? "…" : number(value))
  const groups = [
    {
      title: t("people"),
      href: undefined,
      figures: [
        [t("users"), count(it?.totalUsers)],
        [t("activeToday"), count(it?.totalDailyActiveUsers)],
        [t("activeMonth"), count(it?.totalMonthlyActiveUsers)],
        [t("channels"), count(it?.totalLocalVideoChannels)]
      ]
    },
    {
      title: t("videos"),
      href: undefined,
      figures: [
        [t("localVideos"), count(it?.totalLocalVideos)],
        [t("views"), count(it?.totalLocalVideoViews)],
        [t("comments"), count(it?.totalLocalVideoComments)],
        [t("files"), it === undefined ? "…" : bytes(it.totalLocalVideoFilesSize)]
      ]
    },
    {
      title: t("federation"),
      href: mayUse("MANAGE_SERVER_FOLLOW") ? "/admin/follows" : undefined,
      figures: [
        [t("followers"), count(it?.totalInstanceFollowers)],
        [t("following"), count(it?.totalInstanceFollowing)],
        [t("allVideos"), count(it?.totalVideos)],
        [t("messagesWaiting"), count(it?.totalActivityPubMessagesWaiting)]
      ]
    }
  ] as const
  return (
    <div class="figures" aria-busy={it === undefined}>
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
