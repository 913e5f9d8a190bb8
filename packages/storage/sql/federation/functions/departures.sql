-- Accounts and channels that go, and what others keep of their keys.

-- Inboxes of others where an account of ours has spoken, rated or followed: whoever took part in the same threads, or
-- was mentioned, received what it said.
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
    select inbox_of(mentioned) from (
      select id from said where position('@' in text) > 0 order by id desc limit 500
    ) m, unnest(note_mentions(m.id)) mentioned
  )
$$;

-- Marks that an actor goes, with whom that concerns: who follows what of it is not known afterwards.
create function mark_departure(of_actor integer, followed integer[], inboxes text[]) returns void language plpgsql as $$
declare
  concerned constant text[] := array(
    select coalesce(a.shared_inbox_url, a.inbox_url) from actor_follow f join actor a on a.id = f.actor_id
      where f.target_actor_id = any(followed) and f.follower_remote and f.state = 'accepted'
    union select unnest(outer_inboxes(inboxes))
  );
begin
  if cardinality(concerned) > 0 then
    perform mark_change('departure', of_actor, jsonb_build_object('after', jsonb_build_object(
      'senderId', of_actor, 'inboxes', concerned
    )));
  end if;
end $$;

-- Who leaves says so once, to everybody who may have something of theirs. Called before anything of theirs is deleted:
-- their videos, playlists and comments go with that and are not sent one by one.
create function say_goodbye(of_account integer) returns void language plpgsql as $$
declare
  by_account constant integer := (
    select a.id from account o join actor a on a.id = o.actor_id where o.id = of_account and a.server_id is null
  );
begin
  if by_account is null or current_setting('kinora.leaving', true) = of_account::text
    or not federation_setting('enabled', true) then return; end if;
  perform set_config('kinora.leaving', of_account::text, true);
  perform mark_departure(c.actor_id, array[c.actor_id], '{}') from video_channel c where c.account_id = of_account;
  perform mark_departure(
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
  perform mark_departure(gone, actor_followed(gone), '{}');
end $$;

create function channel_goodbye() returns trigger language plpgsql as $$
begin
  perform say_channel_goodbye(old.id);
  return old;
end $$;

-- What waits of an actor that goes is signed with its key, as long as it waits.
create function actor_keys_kept() returns trigger language plpgsql as $$
begin
  update outbox_change set details = details || jsonb_build_object('sender', jsonb_build_object(
      'url', old.url, 'followersUrl', coalesce(old.followers_url, old.url || '/followers'), 'privateKey', old.private_key
    )) where details -> 'after' -> 'senderId' = to_jsonb(old.id);
  update activity a set private_key = old.private_key where a.actor_id = old.id and activity_waits(a.id);
  return old;
end $$;
