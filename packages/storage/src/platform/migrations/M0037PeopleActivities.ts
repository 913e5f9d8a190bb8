/** Part of M0037: what is told of follows, and of accounts and channels themselves. */
export const peopleActivities = `
-- What others were told of an actor last.
create table actor_told (
  actor_id integer primary key references actor (id) on delete cascade,
  digest bytea not null
);

-- A follow of ours has an id that no former one had: others take the same id for the same follow.
create function follow_named() returns trigger language plpgsql as $$
declare
  follower actor;
  target actor;
begin
  select * into follower from actor where id = new.actor_id;
  new.follower_remote := follower.server_id is not null;
  if not new.follower_remote and new.state = 'pending'
    and (tg_op = 'INSERT' or (tg_op = 'UPDATE' and old.state <> 'pending')) then
    select * into target from actor where id = new.target_actor_id;
    if target.server_id is not null then
      new.url := fresh_activity_uri(follower.url || '/follows/' || target.id);
    end if;
  end if;
  return new;
end $$;
create trigger follow_named before insert or update of state on actor_follow
  for each row execute function follow_named();

create function follow_object(follow_url text, follower_url text, target_url text) returns jsonb language sql immutable as $$
  select jsonb_build_object('type', 'Follow', 'id', follow_url, 'actor', follower_url, 'object', target_url)
$$;

-- Answers a follow of others by what was decided. Called again when it is asked again.
create function answer_follow(of_follow integer) returns void language plpgsql as $$
declare
  f actor_follow;
  follower actor;
  target actor;
begin
  select * into f from actor_follow where id = of_follow;
  select * into follower from actor where id = f.actor_id;
  select * into target from actor where id = f.target_actor_id;
  if f.id is null or follower.server_id is null or target.server_id is not null or f.url is null then return; end if;
  if f.state = 'accepted' then
    perform send_activity(
      wire_origin() || '/accepts/follows/' || f.id, 'Accept', target.id,
      follow_object(f.url, follower.url, target.url)::text, 0::smallint, '{}', array[follower.inbox_url], null, 'Base', f.url
    );
  elsif f.state = 'rejected' then
    perform send_activity(
      wire_origin() || '/rejects/follows/' || wire_time(clock_timestamp()) || '#' || f.id, 'Reject', target.id,
      follow_object(f.url, follower.url, target.url)::text, 0::smallint, '{}', array[follower.inbox_url], null, 'Base', f.url
    );
  end if;
end $$;

create function follow_moved() returns trigger language plpgsql as $$
declare
  follower actor;
  target actor;
begin
  if tg_op = 'UPDATE' and old.state = new.state then return null; end if;
  if new.follower_remote then
    perform answer_follow(new.id);
  elsif new.state = 'pending' then
    select * into follower from actor where id = new.actor_id;
    select * into target from actor where id = new.target_actor_id;
    if target.server_id is not null then
      perform send_activity(
        new.url, 'Follow', follower.id, to_json(target.url)::text, 0::smallint, '{}', array[target.inbox_url], null, 'Base',
        new.url
      );
    end if;
  end if;
  return null;
end $$;
create trigger follow_moved after insert or update of state on actor_follow
  for each row execute function follow_moved();

-- Ours is undone; that of somebody who is gone, too, but then there is nobody left to say so.
create function follow_undone() returns trigger language plpgsql as $$
declare
  follower actor;
  target actor;
begin
  select * into follower from actor where id = old.actor_id and server_id is null;
  select * into target from actor where id = old.target_actor_id and server_id is not null;
  if follower.id is not null and target.id is not null then
    perform send_activity(
      old.url || '/undo', 'Undo', follower.id, follow_object(old.url, follower.url, target.url)::text, 0::smallint, '{}',
      array[target.inbox_url], null, 'Base', old.url
    );
  end if;
  return null;
end $$;
create trigger follow_undone after delete on actor_follow for each row
  when (not old.follower_remote and old.state <> 'rejected' and old.url is not null) execute function follow_undone();

-- Those who know an actor of ours: followers of its own, and of where its videos are told.
create function actor_followed(of_actor integer) returns integer[] language sql stable as $$
  select array_agg(distinct id) from (
    select of_actor as id union all select instance_actor()
    union all select c.actor_id from account a join video_channel c on c.account_id = a.id where a.actor_id = of_actor
    union all select a.actor_id from video_channel c join account a on a.id = c.account_id where c.actor_id = of_actor
  ) f where id is not null
$$;

create function tell_actor(of_actor integer) returns void language plpgsql as $$
declare
  a actor;
  followed integer[];
  body text;
  now_digest bytea;
begin
  if not federation_setting('enabled', true) then return; end if;
  select * into a from actor where id = of_actor and server_id is null;
  if not found then return; end if;
  followed := actor_followed(a.id);
  if not has_remote_followers(followed) then
    delete from actor_told where actor_id = a.id;
    return;
  end if;
  perform 1 from actor where id = a.id for no key update;
  body := ap_actor(a.id);
  now_digest := sha256(convert_to(body, 'UTF8'));
  if (select digest from actor_told where actor_id = a.id) is not distinct from now_digest then return; end if;
  perform send_activity(
    a.url || '/updates/' || wire_time(clock_timestamp()), 'Update', a.id,
    (body::jsonb || public_audience('{}', followers_urls(array[a.id])))::text, 1::smallint, followed, '{}', null, 'Actor'
  );
  insert into actor_told (actor_id, digest) values (a.id, now_digest)
    on conflict (actor_id) do update set digest = excluded.digest;
end $$;

create function owner_moved() returns trigger language plpgsql as $$
begin
  if not outbox_again('actor', new.actor_id) then perform tell_actor(new.actor_id); end if;
  return null;
end $$;
create constraint trigger owner_moved after update of display_name, description on account
  deferrable initially deferred for each row
  when ((old.display_name, old.description) is distinct from (new.display_name, new.description))
  execute function owner_moved();
create constraint trigger owner_moved after update of display_name, description, support, public_email, account_id
  on video_channel deferrable initially deferred for each row
  when ((old.display_name, old.description, old.support, old.public_email, old.account_id)
    is distinct from (new.display_name, new.description, new.support, new.public_email, new.account_id))
  execute function owner_moved();

-- How videos of a channel are to be played is an object of its own.
create function channel_theme_moved() returns trigger language plpgsql as $$
declare
  channel actor;
  followed integer[];
begin
  select * into channel from actor where id = new.actor_id and server_id is null;
  if not found then return null; end if;
  followed := actor_followed(channel.id);
  if has_remote_followers(followed) and not outbox_again('channel_theme', new.id) then
    perform send_activity(
      channel.url || '/player-settings/updates/' || wire_time(clock_timestamp()), 'Update', channel.id,
      ap_channel_player_settings(new.id), 1::smallint, followed, '{}', null, 'PlayerSettings'
    );
  end if;
  return null;
end $$;
create constraint trigger channel_theme_moved after update of player_theme on video_channel
  deferrable initially deferred for each row
  when (old.player_theme is distinct from new.player_theme) execute function channel_theme_moved();

create function actor_moved() returns trigger language plpgsql as $$
begin
  if not outbox_again('actor', new.id) then perform tell_actor(new.id); end if;
  return null;
end $$;
create constraint trigger actor_moved after update of indexable, discoverable, public_key on actor
  deferrable initially deferred for each row
  when (new.server_id is null and (old.indexable, old.discoverable, old.public_key)
    is distinct from (new.indexable, new.discoverable, new.public_key))
  execute function actor_moved();

create function actor_picture_moved() returns trigger language plpgsql as $$
declare
  of_actor integer;
begin
  if tg_op = 'DELETE' then of_actor := old.actor_id; else of_actor := new.actor_id; end if;
  if exists (select from actor where id = of_actor and server_id is null) and not outbox_again('actor', of_actor) then
    perform tell_actor(of_actor);
  end if;
  return null;
end $$;
create constraint trigger actor_picture_moved after insert or update or delete on actor_image
  deferrable initially deferred for each row execute function actor_picture_moved();

-- Inboxes of others where an account of ours has spoken, rated or followed: whoever took part in the same threads, or was
-- mentioned, was told what it said.
create function account_inboxes(of_account integer) returns text[] language sql stable as $$
  with said as materialized (
    select c.id, c.video_id, coalesce(c.origin_comment_id, c.id) as thread, c.text from video_comment c
    where c.account_id = of_account
  )
  select array(
    select inbox_of(f.target_actor_id) from account o join actor_follow f on f.actor_id = o.actor_id
      join actor t on t.id = f.target_actor_id
      where o.id = of_account and t.server_id is not null
    union
    select inbox_of(c.actor_id) from video v join video_channel c on c.id = v.channel_id
      where v.remote and v.id in (
        select video_id from said union select video_id from account_video_rate where account_id = of_account
      )
    union
    select inbox_of(o.actor_id) from (
        select c.account_id from video_comment c where c.id in (select thread from said)
        union select c.account_id from video_comment c where c.origin_comment_id in (select thread from said)
      ) other join account o on o.id = other.account_id join actor a on a.id = o.actor_id
      where a.server_id is not null
    union
    select unnest(note_inboxes(ap_note(m.id)::jsonb)) from (
      select id from said where position('@' in text) > 0 order by id desc limit 500
    ) m
  )
$$;

create function send_actor_delete(of_actor integer, followed integer[], inboxes text[]) returns void language plpgsql as $$
declare
  gone constant text := (select url from actor where id = of_actor);
begin
  perform send_activity(gone || '/delete', 'Delete', of_actor, to_json(gone)::text, 1::smallint, followed, inboxes);
end $$;

-- Who leaves says so once, to everybody who may have something of theirs. Called before anything of theirs is deleted: their
-- videos, playlists and comments go with that and are not told one by one.
create function say_goodbye(of_account integer) returns void language plpgsql as $$
declare
  by_account constant integer := (
    select a.id from account o join actor a on a.id = o.actor_id where o.id = of_account and a.server_id is null
  );
begin
  if by_account is null or current_setting('kinora.leaving', true) = of_account::text
    or not federation_setting('enabled', true) then return; end if;
  perform set_config('kinora.leaving', of_account::text, true);
  perform send_actor_delete(c.actor_id, array[c.actor_id], '{}') from video_channel c where c.account_id = of_account;
  perform send_actor_delete(
    by_account,
    actor_followed(by_account) || array(
      select h.actor_id from video v join video_channel h on h.id = v.channel_id
        where not v.remote and v.id in (select video_id from video_comment where account_id = of_account)
      union
      select o.actor_id from video v join account o on o.id = v.account_id
        where not v.remote and v.id in (select video_id from video_comment where account_id = of_account)
    ),
    account_inboxes(of_account)
  );
end $$;

create function account_goodbye() returns trigger language plpgsql as $$
begin
  perform say_goodbye(old.id);
  return old;
end $$;
create trigger account_goodbye before delete on account for each row execute function account_goodbye();

-- The same of a channel whose account stays.
create function say_channel_goodbye(of_channel integer) returns void language plpgsql as $$
declare
  gone constant integer := (
    select a.id from video_channel c join account o on o.id = c.account_id join actor a on a.id = c.actor_id
    where c.id = of_channel and a.server_id is null
  );
begin
  if gone is null or current_setting('kinora.leaving_channel', true) = of_channel::text
    or current_setting('kinora.leaving', true) = (select account_id::text from video_channel where id = of_channel) then
    return;
  end if;
  perform set_config('kinora.leaving_channel', of_channel::text, true);
  perform send_actor_delete(gone, actor_followed(gone), '{}');
end $$;

create function channel_goodbye() returns trigger language plpgsql as $$
begin
  perform say_channel_goodbye(old.id);
  return old;
end $$;
create trigger channel_goodbye before delete on video_channel for each row execute function channel_goodbye();

-- What waits of an actor that goes is signed with its key, as long as it waits.
create function actor_keys_kept() returns trigger language plpgsql as $$
begin
  update activity a set private_key = old.private_key
    where a.actor_id = old.id and exists (select from delivery d where d.activity_id = a.id);
  return old;
end $$;
create trigger actor_keys_kept before delete on actor for each row
  when (old.server_id is null) execute function actor_keys_kept();
`
