import { VideoState } from "@kinora/domain/enums/VideoState"
import type { Video } from "@kinora/domain/wire/Video"
import { type Html, html } from "../platform/html/Html.ts"
import type { PageLanguage } from "./language/PageLanguage.ts"

/** Lists name the state of some videos alone: a live that has none there is on. */
type LiveFields = Pick<Video, "isLive" | "state" | "liveSchedules" | "viewers">

/** A live that was to begin minutes ago may still begin, in milliseconds. */
const grace = 15 * 60_000

/** The next time at which a live is announced to begin, in milliseconds since the epoch. */
export const nextSchedule = ({ liveSchedules = [] }: LiveFields, now: number): number | undefined =>
  liveSchedules
    .map(({ startAt }) => Date.parse(startAt))
    .filter((at) => at > now - grace)
    .toSorted((a, b) => a - b)[0]

/** Whether a live is being published at this moment. */
export const isOn = ({ isLive, state }: LiveFields): boolean =>
  isLive && (state === undefined || state.id === VideoState.published)

const isWaiting = ({ isLive, state }: LiveFields): boolean => isLive && state?.id === VideoState.waitingForLive

/** A time that the browser code writes in the time zone of the viewer. */
const time = (language: PageLanguage, at: number): Html =>
  html`<time datetime="${new Date(at).toISOString()}" data-moment>${language.moment(at)}</time>`

/** The line under the title of a live: whether it is on, begins or has ended. The browser code keeps it true. */
export const liveLine = (language: PageLanguage, video: LiveFields, now: number): Html => {
  const t = language.text("live")
  const at = nextSchedule(video, now)
  const words = isOn(video)
    ? html`<span class="live-mark">${t("live")}</span
        >${t("viewers", { count: video.viewers, short: language.short(video.viewers) })}`
    : isWaiting(video)
      ? html`${t("notBegun")}${at !== undefined && html`<span class="dot"></span>${time(language, at)}`}`
      : t("hasEnded")
  return html`<p class="live-line" data-live-line role="status">${words}</p>`
}

/** What stands in the place of the player without scripts. */
export const liveWithoutScript = (language: PageLanguage, video: LiveFields): Html => {
  const t = language.text("live")
  const words = isOn(video) ? t("needsScript") : isWaiting(video) ? t("notBegun") : t("hasEnded")
  return html`<p class="embed-message">${words}</p>`
}

/** The mark on the card of a live. */
export const liveBadge = (language: PageLanguage, video: LiveFields): Html => {
  const t = language.text("live")
  if (isOn(video)) return html`<span class="badge live">${t("live")}</span>`
  if (!isWaiting(video)) return html`<span class="badge">${t("over")}</span>`
  return html`<span class="badge">${t("soon")}</span>`
}

/** When a live that has not begun is announced for; undefined for all else. */
export const announcedTime = (language: PageLanguage, video: LiveFields, now: number): Html | undefined => {
  const at = isWaiting(video) ? nextSchedule(video, now) : undefined
  return at === undefined ? undefined : time(language, at)
}
