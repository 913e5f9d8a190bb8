-- What keeps lists quick over a million videos: every order has an index that holds all that lists filter by, so that
-- neither a deep page nor a count reads the videos themselves; and totals, kept as changes that sum up, so that nothing
-- that publishes waits for another.

create index video_by_published on video (published_at desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_views on video (views desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_likes on video (likes desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_comments on video (comments desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_created on video (created_at desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_name on video (name, id)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_duration on video (duration desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_hot on video (hot_score desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_trend on video (trend_views desc, views desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_size on video (local_files_size desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_account on video (account_id, published_at desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_channel on video (channel_id, published_at desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_server on video (server_id, published_at desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_language on video (language, published_at desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_category on video (category, published_at desc, id desc)
  include (account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls, has_web_videos);
create index video_by_original on video ((coalesce(originally_published_at, 'epoch'::timestamptz)) desc, id desc)
  include (originally_published_at, account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state,
    nsfw, remote, is_live, has_hls, has_web_videos);
create index video_local on video (published_at desc, id desc) include (
    name, views, likes, comments, created_at, originally_published_at, duration, hot_score, trend_views, local_files_size,
    account_id, server_id, language, nsfw_flags, visible, category, licence, privacy, state, nsfw, remote, is_live, has_hls,
    has_web_videos
  ) where not remote;
create index video_live on video (published_at desc, id desc) where is_live;

-- Totals of what everybody or users may list, as changes that add up.
create table video_total (
  visible smallint not null,
  nsfw boolean not null,
  remote boolean not null,
  change integer not null,
  -- A total that was counted holds as long as the rows of video_total are the same ones, and the blocks have not
  -- changed.
  id bigint generated always as identity
);

-- The same by who made the videos, to know at once how many the blocks of somebody hide: changes that add up, too.
create table owner_total (
  account_id integer not null,
  server_id integer,
  visible smallint not null,
  nsfw boolean not null,
  remote boolean not null,
  change integer not null
);
create index owner_total_account on owner_total (account_id);

-- Counts the changes of an account's blocks.
create table block_version (
  account_id integer primary key,
  version bigint not null default 1
);

-- Videos of each kind that lists filter by. Where nothing is known stands what no video says of itself.
create table video_count (
  language text not null,
  category smallint not null,
  licence smallint not null,
  nsfw_flags integer not null,
  visible smallint not null,
  nsfw boolean not null,
  remote boolean not null,
  is_live boolean not null,
  has_hls boolean not null,
  has_web_videos boolean not null,
  count integer not null,
  primary key (language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos)
);
create index video_count_none on video_count (language) where count = 0;

create table video_count_change (
  language text not null,
  category smallint not null,
  licence smallint not null,
  nsfw_flags integer not null,
  visible smallint not null,
  nsfw boolean not null,
  remote boolean not null,
  is_live boolean not null,
  has_hls boolean not null,
  has_web_videos boolean not null,
  change integer not null
);
