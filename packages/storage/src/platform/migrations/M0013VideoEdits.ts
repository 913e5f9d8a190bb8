/** What owners say of a video beyond what is shown of it: who made its chapters, where it may be embedded, its player. */
export const M0013VideoEdits = `
-- False: chapters are read from the description, else from the file.
alter table video add column chapters_by_hand boolean not null default false;
update video set chapters_by_hand = true where id in (select video_id from video_chapter);

alter table video add column player_theme text not null default 'channel-default'
  check (player_theme in ('channel-default', 'instance-default', 'galaxy', 'lucide'));
alter table video_channel add column player_theme text not null default 'instance-default'
  check (player_theme in ('instance-default', 'galaxy', 'lucide'));

-- Hosts, in lower case and with their port where they have one, whose pages may show the video in a frame.
create table video_embed_domain (
  video_id integer not null references video (id) on delete cascade,
  domain text not null,
  primary key (video_id, domain)
);
`
