/**
 * Channels that follow others elsewhere: what was listed there before is remembered by a digest of its address, so that
 * what is new can be told where lists have no dates; and whether somebody asked for everything.
 */
export const M0018Syncs = `
alter table video_channel_sync add column full_wanted_at timestamptz;
create table video_channel_sync_seen (
  sync_id integer not null references video_channel_sync (id) on delete cascade,
  url_digest uuid not null,
  primary key (sync_id, url_digest)
);
`
