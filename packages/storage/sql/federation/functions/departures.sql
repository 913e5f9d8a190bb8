-- Accounts and channels that go, and what others keep of their keys.

-- Marks that an actor goes, with facts that are not known afterwards: inboxes of whom it has dealt with, those of the
-- followers of what goes among them; other actors whose followers have something of it; and words that may mention somebody.
create function mark_departure(of_actor integer, gone integer[], inboxes text[], followed integer[], words text[])
returns void language sql as $$
  select mark_change('departure', of_actor, jsonb_build_object('after', jsonb_build_object(
    'senderId', of_actor, 'followed', to_jsonb(array_remove(followed, null)), 'words', to_jsonb(words),
    'inboxes', to_jsonb(array(
      select coalesce(a.shared_inbox_url, a.inbox_url) from actor_follow f join actor a on a.id = f.actor_id
        where f.target_actor_id = any(gone) and f.follower_remote and f.state = 'accepted'
      union
      select i from unnest(inboxes) i where i is not null
    ))
  )))
$$;

-- An account of ours, with its channels. Called before anything of theirs is deleted: their videos, playlists and comments go
-- with that and are not sent one by one.
create function mark_account_departure(of_account integer) returns void language plpgsql as $$
declare
  by_account constant integer := (
    select a.id from account o join actor a on a.id = o.actor_id where o.id = of_account and a.server_id is null
  );
  channels constant integer[] := array(select actor_id from video_channel where account_id = of_account order by id);
  inboxes text[];
  followed integer[];
  words text[];
begin
  if by_account is null or current_setting('kinora.leaving', true) = of_account::text
    or not federation_setting('enabled', true) then return; end if;
  perform set_config('kinora.leaving', of_account::text, true);
  perform mark_departure(id, array[id], '{}', '{}', '{}') from unnest(channels) id;
  with said as materialized (
    select c.id, c.video_id, coalesce(c.origin_comment_id, c.id) as thread, c.text from video_comment c
    where c.account_id = of_account
  )
  select array(
      select inbox_of(target_actor_id) from actor_follow where actor_id = by_account
      union
      select inbox_of(c.actor_id) from video v join video_channel c on c.id = v.channel_id
        where v.remote and v.id in (
          select video_id from said union select video_id from account_video_rate where account_id = of_account
        )
      union
      select inbox_of(o.actor_id) from (
          select c.account_id from video_comment c where c.id in (select thread from said)
          union select c.account_id from video_comment c where c.origin_comment_id in (select thread from said)
        ) other join account o on o.id = other.account_id
    ), array(
      select instance_actor()
      union
      select unnest(array[c.actor_id, o.actor_id])
        from video v join video_channel c on c.id = v.channel_id join account o on o.id = v.account_id
        where not v.remote and v.id in (select video_id from said)
    ), array(
      select distinct m[1] from (
        select text from said where position('@' in text) > 0 order by id desc limit 500
      ) t, regexp_matches(t.text, '[^[:space:]]*@[^[:space:]]*', 'g') m
    ) into inboxes, followed, words;
  perform mark_departure(by_account, by_account || channels, inboxes, followed, words);
end $$;

-- A channel of ours whose account stays.
create function mark_channel_departure(of_channel integer) returns void language plpgsql as $$
declare
  gone record;
begin
  select a.id, c.account_id, o.actor_id as owner into gone
    from video_channel c join account o on o.id = c.account_id join actor a on a.id = c.actor_id
    where c.id = of_channel and a.server_id is null;
  if not found or current_setting('kinora.leaving_channel', true) = of_channel::text
    or current_setting('kinora.leaving', true) = gone.account_id::text then return; end if;
  perform set_config('kinora.leaving_channel', of_channel::text, true);
  perform mark_departure(gone.id, array[gone.id], '{}', array[gone.owner, instance_actor()], '{}');
end $$;

create function departure_marked() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'account' then perform mark_account_departure(old.id);
  else perform mark_channel_departure(old.id);
  end if;
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
