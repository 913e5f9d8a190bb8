const kinds = "language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos"

/** Counts all videos by kind: what triggers keep from then on (`sql/video/functions/totals.sql`). */
export const countKinds = `insert into video_count (${kinds}, count)
  select coalesce(language, '_unknown') as language, coalesce(category, -1::smallint) as category,
    coalesce(licence, -1::smallint) as licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, count(*)
  from video where visible > 0 group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`
