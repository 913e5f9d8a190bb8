-- Actors of other instances.

-- Pictures of an actor of others, when they are other ones than before.
create function set_remote_images(of_actor integer, of_type smallint, given jsonb) returns void language plpgsql as $$
begin
  if given = (
    select coalesce(jsonb_agg(jsonb_build_object('url', remote_url, 'width', width, 'height', height) order by id), '[]')
    from actor_image where actor_id = of_actor and type = of_type
  ) then return; end if;
  delete from actor_image where actor_id = of_actor and type = of_type;
  insert into actor_image (actor_id, type, filename, width, height, remote_url)
    select of_actor, of_type, gen_random_uuid() || '.jpg', (i->>'width')::integer, (i->>'height')::integer, i->>'url'
    from jsonb_array_elements(given) with ordinality e (i, n) order by n;
end $$;

-- Whether a key's id is below an actor's address, and so nobody else's.
create function is_key_below(key_id text, actor_url text) returns boolean language sql immutable as $$
  select key_id = actor_url or starts_with(key_id, actor_url || '#') or starts_with(key_id, actor_url || '/')
$$;

create function set_remote_keys(of_actor integer, given jsonb) returns void language plpgsql as $$
begin
  if given = (
    select coalesce(jsonb_agg(jsonb_build_object('id', key_id, 'kind', kind, 'value', value) order by id), '[]')
    from actor_key where actor_id = of_actor
  ) then return; end if;
  delete from actor_key where actor_id = of_actor;
  -- A key that is another actor's stays that actor's, unless only this one's address says whose it is.
  insert into actor_key (actor_id, key_id, kind, value)
    select of_actor, id, kind, value from (
      select distinct on (k->>'id') k->>'id' as id, k->>'kind' as kind, k->>'value' as value, n
      from jsonb_array_elements(given) with ordinality e (k, n) order by k->>'id', n
    ) g order by n
    on conflict (key_id) do update set actor_id = excluded.actor_id, kind = excluded.kind, value = excluded.value
      where is_key_below(excluded.key_id, (select url from actor where id = excluded.actor_id))
        and not is_key_below(actor_key.key_id, (select url from actor where id = actor_key.actor_id));
end $$;

-- Writes an actor of another instance: with its channel where it has an owner, else with its account. Null: the address
-- is one of ours, or the actor was an account and is a channel now, or the other way round, or the owner is gone.
-- Whether it is an Application, who speaks for a whole instance, is settled when it is first seen.
create function upsert_remote_actor(given jsonb, of_owner integer) returns integer language plpgsql as $$
declare
  of_server integer;
  of_actor integer;
  known actor;
  former record;
  renamed citext;
  is_group constant boolean := given->>'type' = 'Group';
  is_channel constant boolean := of_owner is not null;
begin
  insert into server (host) select given->>'host'
    where not exists (select from server where host = (given->>'host')::citext) on conflict (host) do nothing;
  select id into of_server from server where host = (given->>'host')::citext;
  if is_channel then
    perform 1 from account where id = of_owner for key share;
    if not found then return null; end if;
  end if;
  -- One that writes the same actor at the same time is waited for, and seen by the next statement.
  perform pg_advisory_xact_lock(1920298356, hashtext(given->>'url'));
  -- And so is one that takes the same name there.
  perform pg_advisory_xact_lock(1920298357, hashtext(of_server || '/' || lower(given->>'name')));
  select * into known from actor where url = given->>'url';
  if found and (known.server_id is distinct from of_server or (known.type = 'Group') <> is_group
    or (known.type = 'Application') <> (given->>'type' = 'Application')
    or exists (select from video_channel where actor_id = known.id) <> is_channel) then return null; end if;
  -- A name that was given anew there: who had it before keeps all but the name.
  select id, preferred_username as name into former from actor
    where preferred_username = (given->>'name')::citext and server_id = of_server and (type = 'Group') = is_group
      and id is distinct from known.id;
  if found then
    renamed := former.name;
    loop
      renamed := renamed || '-' || former.id;
      exit when not exists (select from actor
        where preferred_username = renamed and server_id = of_server and (type = 'Group') = is_group);
    end loop;
    update actor set preferred_username = renamed where id = former.id;
  end if;
  if known.id is null then
    insert into actor (type, preferred_username, server_id, url, inbox_url, outbox_url, shared_inbox_url, followers_url,
        following_url, playlists_url, public_key, remote_created_at, indexable, discoverable)
      values (given->>'type', given->>'name', of_server, given->>'url', given->>'inbox', given->>'outbox',
        given->>'sharedInbox', given->>'followers', given->>'following', given->>'playlists', given->>'publicKey',
        (given->>'published')::timestamptz, coalesce((given->>'indexable')::boolean, true),
        coalesce((given->>'discoverable')::boolean, true))
      returning id into of_actor;
    if is_channel then
      insert into video_channel (actor_id, account_id, display_name, description, support, public_email)
        values (of_actor, of_owner, given->>'displayName', given->>'summary', given->>'support', given->>'email');
    else
      insert into account (actor_id, display_name, description)
        values (of_actor, given->>'displayName', given->>'summary');
    end if;
  else
    of_actor := known.id;
    -- Owners come before actors.
    if is_channel then
      perform 1 from video_channel where actor_id = of_actor for no key update;
      update video_channel set account_id = of_owner, display_name = given->>'displayName',
          description = given->>'summary', support = given->>'support', public_email = given->>'email', updated_at = now()
        where actor_id = of_actor and (account_id, display_name, description, support, public_email) is distinct from
          (of_owner, given->>'displayName', given->>'summary', given->>'support', given->>'email');
    else
      update account set display_name = given->>'displayName', description = given->>'summary', updated_at = now()
        where actor_id = of_actor
          and (display_name, description) is distinct from (given->>'displayName', given->>'summary');
    end if;
    update actor set type = given->>'type', preferred_username = given->>'name', inbox_url = given->>'inbox',
        outbox_url = given->>'outbox', shared_inbox_url = given->>'sharedInbox', followers_url = given->>'followers',
        following_url = given->>'following', playlists_url = given->>'playlists', public_key = given->>'publicKey',
        remote_created_at = (given->>'published')::timestamptz,
        indexable = coalesce((given->>'indexable')::boolean, true),
        discoverable = coalesce((given->>'discoverable')::boolean, true), updated_at = now()
      where id = of_actor and (type, preferred_username::text, inbox_url, outbox_url, shared_inbox_url, followers_url,
          following_url, playlists_url, public_key, remote_created_at, indexable, discoverable)
        is distinct from (given->>'type', given->>'name', given->>'inbox', given->>'outbox', given->>'sharedInbox',
          given->>'followers', given->>'following', given->>'playlists', given->>'publicKey',
          (given->>'published')::timestamptz, coalesce((given->>'indexable')::boolean, true),
          coalesce((given->>'discoverable')::boolean, true));
  end if;
  perform set_remote_images(of_actor, 1::smallint, given->'avatars');
  perform set_remote_images(of_actor, 2::smallint, given->'banners');
  perform set_remote_keys(of_actor, given->'keys');
  insert into remote_actor (actor_id, page_url, moved_to, also_known_as)
    values (of_actor, given->>'page', given->>'movedTo', array(select jsonb_array_elements_text(given->'alsoKnownAs')))
    on conflict (actor_id) do update set fetched_at = now(), page_url = excluded.page_url, moved_to = excluded.moved_to,
      also_known_as = excluded.also_known_as;
  return of_actor;
end $$;

-- Forgets accounts of other instances, with channels they have, that nothing hangs on and that were not asked for in so
-- many days: whoever sends anything has a row. At most so many; answers how many.
create function forget_strangers(days integer, most integer) returns integer language plpgsql as $$
declare
  accounts integer[];
  actors integer[];
begin
  accounts := array(
    select o.id from remote_actor r join actor a on a.id = r.actor_id join account o on o.actor_id = a.id
    where r.fetched_at < now() - days * interval '1 day' and a.server_id is not null
      and not exists (select from actor_departure d where d.actor_id = a.id)
      and not exists (select from video v where v.account_id = o.id)
      and not exists (select from video_comment c where c.account_id = o.id)
      and not exists (select from account_video_rate t where t.account_id = o.id)
      and not exists (select from video_playlist p where p.owner_account_id = o.id)
      and not exists (select from account_block b where o.id in (b.account_id, b.target_account_id))
      and not exists (select from abuse b where b.reporter_account_id = o.id)
      and not exists (select from abuse b where b.flagged_account_id = o.id)
      and not exists (
        select from (select a.id union all select h.actor_id from video_channel h where h.account_id = o.id) x (id)
        where exists (select from actor_follow f where f.actor_id = x.id)
          or exists (select from actor_follow f where f.target_actor_id = x.id)
          or exists (select from video_share s where s.actor_id = x.id)
          or exists (select from video_redundancy y where y.actor_id = x.id)
      )
      and not exists (select from video_channel h join video v on v.channel_id = h.id where h.account_id = o.id)
      and not exists (select from video_channel h join video_playlist p on p.channel_id = h.id where h.account_id = o.id)
    order by r.fetched_at limit most for update of o skip locked
  );
  actors := array(
    select actor_id from account where id = any(accounts)
    union all select actor_id from video_channel where account_id = any(accounts)
  );
  delete from video_channel where account_id = any(accounts);
  delete from account where id = any(accounts);
  delete from actor where id = any(actors);
  return cardinality(accounts);
end $$;
