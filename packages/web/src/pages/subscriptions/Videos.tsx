import { VideoState } from "@kinora/domain/enums/VideoState"
import { call } from "../../api/Call.ts"
import type { Output } from "../../api/Endpoints.ts"
import { text } from "../../i18n/Text.ts"
import { clock, day, moment, number } from "../../i18n/Units.ts"
import { useLoadMore } from "../../navigation/LoadMore.ts"
import { me } from "../../session/Me.ts"
import { ButtonLink } from "../../ui/Button.tsx"
import { nextSchedule } from "../../player/LiveState.ts"
import { InfiniteList } from "../../ui/InfiniteList.tsx"
import { Badge, Empty, LoadFailure, Skeleton } from "../../ui/States.tsx"
import { failureWords } from "../../ui/Words.ts"
import { addressOf, type Group, handleOf } from "./Groups.ts"

const t = text("mySubscriptions")

const perPart = 24

type Video = Output<"GET /api/v1/users/me/subscriptions/videos">["data"][number]

const VideoCard = ({ video }: { readonly video: Video }) => {
  const address = `/w/${video.shortUUID}`
  const at = video.publishedAt
  const isOn = video.state === undefined || video.state.id === VideoState.published
  const isWaiting = video.isLive && video.state?.id === VideoState.waitingForLive
  const begins = isWaiting ? nextSchedule(video.liveSchedules, Date.now()) : undefined
  // What the person does not want to see at all is not in the list.
  const isHidden = video.nsfw && me.value?.nsfwPolicy !== "display"
  return (
    <li class="new-video">
      <a class="v-thumb" href={address} tabIndex={-1} aria-hidden="true" data-hidden={isHidden}>
        {video.thumbnailPath !== "" && <img src={video.thumbnailPath} alt="" loading="lazy" width="280" height="157" />}
        <span class="v-length">
          {video.isLive ? t(isWaiting ? "soon" : isOn ? "live" : "over") : clock(video.duration)}
        </span>
      </a>
      <div class="v-facts">
        <a href={address} dir="auto">
          {video.name}
        </a>
        <span>
          <a href={`/c/${handleOf(video.channel)}`} dir="auto">
            {video.channel.displayName}
          </a>
        </span>
        <span>
          {begins !== undefined ? (
            <time dateTime={new Date(begins).toISOString()}>{moment(new Date(begins).toISOString())}</time>
          ) : (
            <>
              {t("views", { count: video.views, shown: number(video.views, true) })} ·{" "}
              <time dateTime={at} title={moment(at)}>
                {day(at)}
              </time>
            </>
          )}
        </span>
        {video.nsfw && <Badge kind="warn">{t("sensitive")}</Badge>}
      </div>
    </li>
  )
}

/** The newest videos of the channels that are followed, or of those in a group; further ones come as one scrolls. */
export const Videos = ({ group }: { readonly group: Group | undefined }) => {
  const list = useLoadMore<Video>(
    `subscription videos ${group?.id ?? ""}`,
    (it) => it.id,
    (start, signal) =>
      call("GET /api/v1/users/me/subscriptions/videos", {
        query: { groupId: group?.id, sort: "-publishedAt", includeScheduledLive: true, start, count: perPart },
        signal
      })
  )
  const { data, failure } = list.first
  if (failure !== undefined) {
    return <LoadFailure reason={failureWords(failure)} onRetry={() => void list.first.again()} />
  }
  if (data === undefined) return <Skeleton rows={8} />
  if (list.items.length === 0) {
    return group === undefined ? (
      <Empty icon="film" title={t("noVideosTitle")} text={t("noVideosText")}>
        <ButtonLink href="/videos/browse" kind="primary">
          {t("browse")}
        </ButtonLink>
        <ButtonLink href={addressOf(undefined, "channels")}>{t("toChannels")}</ButtonLink>
      </Empty>
    ) : (
      <Empty icon="film" title={t("noVideosTitle")} text={t("groupEmptyText", { group: group.name })}>
        <ButtonLink href={addressOf(undefined, "channels")} kind="primary">
          {t("toChannels")}
        </ButtonLink>
      </Empty>
    )
  }
  return (
    <div class="new-videos">
      <InfiniteList label={t("newest")} hasMore={list.hasMore} busy={list.busy} onMore={list.more}>
        {list.items.map((it) => (
          <VideoCard key={it.id} video={it} />
        ))}
      </InfiniteList>
    </div>
  )
}
