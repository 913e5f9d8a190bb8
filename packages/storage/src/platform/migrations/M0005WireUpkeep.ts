/** Triggers that void ready answers when what they tell changes, and the function that makes them anew. */
export const M0005WireUpkeep = `
insert into video_wire (video_id) select id from video;
insert into actor_wire (actor_id) select actor_id from account union select actor_id from video_channel;

create function video_wire_begin() returns trigger language plpgsql as $$
begin
  insert into video_wire (video_id) values (new.id);
  return null;
end $$;
create trigger video_wire_begin after insert on video for each row execute function video_wire_begin();

create function video_wire_void() returns trigger language plpgsql as $$
begin
  update video_wire set summary = null, details = null where video_id = new.id;
  return null;
end $$;
create trigger video_wire_void after update on video for each row
  when (old.* is distinct from new.*) execute function video_wire_void();

-- For tables with a column video_id.
create function video_part_void() returns trigger language plpgsql as $$
begin
  update video_wire set summary = null, details = null
    where video_id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;
create trigger video_wire_void after insert or update or delete on thumbnail
  for each row execute function video_part_void();
create trigger video_wire_void after insert or update or delete on video_tag
  for each row execute function video_part_void();
create trigger video_wire_void after insert or update or delete on video_blacklist
  for each row execute function video_part_void();
create trigger video_wire_void after insert or update or delete on video_schedule_update
  for each row execute function video_part_void();
create trigger video_wire_void after insert or update or delete on streaming_playlist
  for each row execute function video_part_void();

create function video_file_void() returns trigger language plpgsql as $$
declare
  changed video_file := case when tg_op = 'DELETE' then old else new end;
begin
  update video_wire set details = null where video_id = coalesce(
    changed.video_id, (select video_id from streaming_playlist where id = changed.streaming_playlist_id)
  );
  return null;
end $$;
create trigger video_wire_void after insert or update or delete on video_file
  for each row execute function video_file_void();

create function tag_void() returns trigger language plpgsql as $$
begin
  update video_wire set summary = null, details = null
    where video_id in (select video_id from video_tag where tag_id = new.id);
  return null;
end $$;
create trigger video_wire_void after update of name on tag for each row execute function tag_void();

-- Everything that shows an actor: its own answer, that of the channels an account owns, the list items of its videos.
create function actor_void(of_actor integer, in_lists boolean) returns void language plpgsql as $$
begin
  update actor_wire set wire = null where actor_id = of_actor or actor_id in (
    select c.actor_id from account a join video_channel c on c.account_id = a.id where a.actor_id = of_actor
  );
  if in_lists then
    update video_wire set summary = null where video_id in (
      select v.id from video v join account a on a.id = v.account_id where a.actor_id = of_actor
      union all
      select v.id from video v join video_channel c on c.id = v.channel_id where c.actor_id = of_actor
    );
  end if;
end $$;

create function actor_wire_begin() returns trigger language plpgsql as $$
begin
  insert into actor_wire (actor_id) values (new.actor_id) on conflict do nothing;
  return null;
end $$;
create trigger actor_wire_begin after insert on account for each row execute function actor_wire_begin();
create trigger actor_wire_begin after insert on video_channel for each row execute function actor_wire_begin();

create function actor_owner_void() returns trigger language plpgsql as $$
begin
  perform actor_void(new.actor_id, old.display_name <> new.display_name or old.actor_id <> new.actor_id);
  return null;
end $$;
create trigger actor_wire_void after update on account for each row
  when (old.* is distinct from new.*) execute function actor_owner_void();
create trigger actor_wire_void after update on video_channel for each row
  when (old.* is distinct from new.*) execute function actor_owner_void();

-- Counters of followers change often, and stand in no list item.
create function actor_changed() returns trigger language plpgsql as $$
begin
  perform actor_void(new.id, old.preferred_username <> new.preferred_username or old.url <> new.url);
  return null;
end $$;
create trigger actor_wire_void after update of preferred_username, url, followers_count, following_count, updated_at
  on actor for each row when (old.* is distinct from new.*) execute function actor_changed();

create function actor_image_changed() returns trigger language plpgsql as $$
declare
  changed actor_image := case when tg_op = 'DELETE' then old else new end;
begin
  perform actor_void(changed.actor_id, changed.type = 1);
  return null;
end $$;
create trigger actor_wire_void after insert or update or delete on actor_image
  for each row execute function actor_image_changed();

create function server_changed() returns trigger language plpgsql as $$
begin
  perform actor_void(id, true) from actor where server_id = new.id;
  return null;
end $$;
create trigger actor_wire_void after update of host, redundancy_allowed on server for each row
  when (old.host <> new.host or old.redundancy_allowed <> new.redundancy_allowed) execute function server_changed();

-- Makes up to so many missing answers of each kind; answers how many. Nodes share the work: locked rows are passed by.
create function refresh_wire(at_most integer) returns integer language plpgsql as $$
declare
  videos integer[];
  actors integer[];
begin
  select coalesce(array_agg(video_id), '{}') into videos from (
    select video_id from video_wire where summary is null or details is null limit at_most for update skip locked
  ) w;
  update video_wire set
    summary = coalesce(summary, wire_video_summary(video_id)), details = coalesce(details, wire_video_details(video_id))
    where video_id = any(videos);
  select coalesce(array_agg(actor_id), '{}') into actors from (
    select actor_id from actor_wire where wire is null limit at_most for update skip locked
  ) w;
  update actor_wire w set wire = coalesce(
    (select wire_account(a.id) from account a where a.actor_id = w.actor_id),
    (select wire_channel(c.id) from video_channel c where c.actor_id = w.actor_id),
    ''
  ) where actor_id = any(actors);
  return cardinality(videos) + cardinality(actors);
end $$;
`
