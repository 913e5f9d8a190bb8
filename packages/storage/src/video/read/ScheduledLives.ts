import type { VideoViewer } from "./VideoQuery.ts"

/** How long after the announced time a live that has not begun is still expected. Pages use the same. */
const grace = "15 minutes"

/**
 * Selects, as `id`, the lives that wait for a time they are announced for, and that the reader may list once they begin.
 *
 * @param lookedUp whether lives of accounts that this instance does not follow are among them
 */
export const scheduledLives = (viewer: VideoViewer | undefined, lookedUp: boolean): string =>
  `select x.id from live_schedule s join video x on x.id = s.video_id
    where s.start_at > now() - interval '${grace}' and x.is_live and x.state = 4
      and x.privacy ${viewer === undefined ? "= 1" : "in (1, 4)"}
      and not exists (select 1 from video_blacklist b where b.video_id = x.id)${
        lookedUp ? "" : " and (not x.remote or video_has_followers(x.id, x.channel_id, x.account_id))"
      }`
