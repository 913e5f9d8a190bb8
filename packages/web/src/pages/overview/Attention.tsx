import { AbuseState } from "@kinora/domain/enums/AbuseState"
import type { UserRight } from "@kinora/domain/enums/UserRight"
import { UserRegistrationState } from "@kinora/domain/enums/UserRegistrationState"
import { VideoBlockType } from "@kinora/domain/enums/VideoBlockType"
import type { Answer } from "../../api/Answer.ts"
import { call } from "../../api/Call.ts"
import { text } from "../../i18n/Text.ts"
import { number } from "../../i18n/Units.ts"
import { useLoad } from "../../navigation/Load.ts"
import { mayUse } from "../../session/Me.ts"
import { Icon, type IconName } from "../../ui/Icon.tsx"
import { failureWords } from "../../ui/Words.ts"
import { useLive } from "../admin/Live.ts"

const t = text("overview")

interface Matter {
  readonly key: "reports" | "waitingVideos" | "taggedVideos" | "registrations" | "failedJobs" | "webhooks"
  readonly icon: IconName
  readonly href: string
  readonly right: UserRight
  /** Shown only where there is something: most instances have none of these. */
  readonly rare?: boolean
  /** The number of what waits for somebody. */
  readonly ask: (signal: AbortSignal) => Promise<Answer<{ readonly total: number }>>
}

/** Videos that the instance took from view until a moderator has looked at them. */
const waiting = (
  key: "waitingVideos" | "taggedVideos",
  type: typeof VideoBlockType.automatic | typeof VideoBlockType.tagPolicy
): Matter => ({
  key,
  icon: "eye",
  href: `/admin/video-blocks?type=${type}`,
  right: "MANAGE_VIDEO_BLACKLIST",
  ask: (signal) => call("GET /api/v1/videos/blacklist", { query: { type, count: 0 }, signal })
})

const matters: ReadonlyArray<Matter> = [
  {
    key: "reports",
    icon: "flag",
    href: `/admin/reports?state=${AbuseState.pending}`,
    right: "MANAGE_ABUSES",
    ask: (signal) => call("GET /api/v1/abuses", { query: { state: AbuseState.pending, count: 0 }, signal })
  },
  waiting("waitingVideos", VideoBlockType.automatic),
  waiting("taggedVideos", VideoBlockType.tagPolicy),
  {
    key: "registrations",
    icon: "mail",
    href: `/admin/registrations?state=${UserRegistrationState.pending}`,
    right: "MANAGE_REGISTRATIONS",
    ask: (signal) =>
      call("GET /api/v1/users/registrations", {
        query: { stateOneOf: [UserRegistrationState.pending], count: 0 },
        signal
      })
  },
  {
    key: "failedJobs",
    icon: "layers",
    href: "/admin/jobs?state=failed",
    right: "MANAGE_JOBS",
    ask: (signal) => call("GET /api/v1/jobs/:state?", { params: { state: "failed" }, query: { count: 0 }, signal })
  },
  {
    key: "webhooks",
    icon: "swap",
    href: "/admin/webhooks",
    right: "MANAGE_CONFIGURATION",
    rare: true,
    ask: (signal) => call("GET /api/v1/server/webhooks", { query: { disabled: true, count: 0 }, signal })
  }
]

const Card = ({ matter }: { readonly matter: Matter }) => {
  const count = useLoad(`matter ${matter.key}`, matter.ask)
  useLive(count.again)
  const total = count.data?.total
  if (matter.rare === true && !total) return null
  return (
    <li>
      <a class="matter" href={matter.href} data-open={total !== undefined && total > 0}>
        <Icon name={matter.icon} size={22} />
        <strong>{total === undefined ? "…" : number(total)}</strong>
        <span>{count.failure === undefined ? t(matter.key, { count: total ?? 0 }) : failureWords(count.failure)}</span>
      </a>
    </li>
  )
}

/** What waits for somebody, as far as the person has the right to do something about it. */
export const Attention = () => (
  <ul class="matters">
    {matters
      .filter((it) => mayUse(it.right))
      .map((it) => (
        <Card key={it.key} matter={it} />
      ))}
  </ul>
)
