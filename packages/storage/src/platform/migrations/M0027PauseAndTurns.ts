/**
 * While the one row of `job_pause` is there, no job is given to anybody, here or elsewhere. What waits is told as soon as it
 * has gone.
 *
 * What is derived of a video is written by whoever holds the video's row: its ready answer, and its document when more than
 * one is written. A renamed channel and a changed video, or a new file of it, so take turns; they used to meet with one row
 * each that the other wanted.
 */
export const M0027PauseAndTurns = `
create table job_pause (
  only_one boolean primary key default true check (only_one),
  created_at timestamptz not null default now()
);

create function job_pause_over() returns trigger language plpgsql as $$
begin
  -- Jobs of runners wait from now on: the pause gives the instance no right to take them first.
  update runner_job set updated_at = now() where state = 1;
  perform pg_notify('job', '');
  perform pg_notify('runner_job', '');
  return null;
end $$;
create trigger job_pause_over after delete on job_pause for each row execute function job_pause_over();

create or replace function video_part_void() returns trigger language plpgsql as $$
declare
  of_video constant integer := case when tg_op = 'DELETE' then old.video_id else new.video_id end;
begin
  perform 1 from video where id = of_video for no key update;
  update video_wire set summary = null, details = null where video_id = of_video;
  return null;
end $$;

create or replace function video_file_void() returns trigger language plpgsql as $$
declare
  changed video_file := case when tg_op = 'DELETE' then old else new end;
  of_video constant integer := coalesce(
    changed.video_id, (select video_id from streaming_playlist where id = changed.streaming_playlist_id)
  );
begin
  perform 1 from video where id = of_video for no key update;
  update video_wire set details = null where video_id = of_video;
  return null;
end $$;

-- Whoever renames the owner has done so before the words of a new video are read, or finds the video. Account before channel,
-- as who removes them: references alone would be held the other way round.
create function video_owner_held() returns trigger language plpgsql as $$
begin
  perform 1 from account where id = new.account_id for share;
  perform 1 from video_channel where id = new.channel_id for share;
  return new;
end $$;
create trigger video_owner_held before insert on video for each row execute function video_owner_held();

create or replace function actor_void(of_actor integer, in_lists boolean) returns void language plpgsql as $$
declare
  videos integer[];
begin
  if in_lists then
    videos := array(
      select v.id from video v join account a on a.id = v.account_id where a.actor_id = of_actor
      union all
      select v.id from video v join video_channel c on c.id = v.channel_id where c.actor_id = of_actor
    );
    perform 1 from video v where v.id = any(videos) and exists (select 1 from video_wire w where w.video_id = v.id)
      order by v.id for no key update;
  end if;
  update actor_wire set wire = null where actor_id = of_actor or actor_id in (
    select c.actor_id from account a join video_channel c on c.account_id = a.id where a.actor_id = of_actor
  );
  if in_lists then update video_wire set summary = null where video_id = any(videos); end if;
end $$;

-- Triggers run by name: ready answers come before words, with accounts as with channels.
alter trigger account_document_follow on account rename to actor_words_follow;

create or replace function owner_renamed() returns trigger language plpgsql as $$
declare
  channels integer[];
  videos integer[] := '{}';
begin
  if tg_table_name = 'account' then
    channels := array(select c.id from video_channel c where c.account_id = new.id);
    videos := array(select id from video where account_id = new.id);
  else
    channels := array[new.id];
    if new.display_name <> old.display_name then videos := array(select id from video where channel_id = new.id); end if;
  end if;
  perform 1 from video_document where id = any(videos) order by id for no key update;
  update video_document set stale = true where id = any(videos);
  perform 1 from channel_document where id = any(channels) order by id for no key update;
  update channel_document d set document = n.document from channel_documents(channels) n where d.id = n.id;
  return null;
end $$;
`
