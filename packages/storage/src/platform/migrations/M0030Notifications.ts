/**
 * Notifications: what has happened waits in `notification_event`, one row each, written by the transaction that made it
 * happen; whoever is to know has a row in `user_notification`, made from it by a worker. How many follow an actor is kept
 * exact by the follows themselves.
 *
 * What a table can tell of itself is recorded by triggers: whichever way a video comes to be seen, it is told once.
 */
export const M0030Notifications = `
create table notification_event (
  id bigint generated always as identity primary key,
  -- A tag of NotificationEvent, and the id of what it is about, which may be gone when it is looked at.
  tag text not null,
  subject integer not null,
  -- How far the telling has come: the last follow that was seen to, and how often this was turned to.
  position integer not null default 0,
  turns integer not null default 0,
  failures integer not null default 0,
  not_before timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index notification_event_next on notification_event (turns, id);

create function notification_event_told() returns trigger language plpgsql as $$
begin
  perform pg_notify('notification', 'event');
  return null;
end $$;
create trigger notification_event_told after insert on notification_event
  for each statement execute function notification_event_told();

create table user_notification (
  id integer generated always as identity primary key,
  user_id integer not null references app_user (id) on delete cascade,
  type smallint not null,
  -- Whether it is in the user's list: what is only mailed is not.
  web boolean not null,
  read boolean not null default false,
  -- When the mail is tried next; null: there is none to send.
  mail_at timestamptz,
  mail_attempts smallint not null default 0,
  event_id bigint not null,
  -- Whose doing it is: nothing is told of those the user has blocked.
  account_id integer references account (id) on delete cascade,
  video_id integer references video (id) on delete cascade,
  comment_id integer references video_comment (id) on delete cascade,
  import_id integer references video_import (id) on delete cascade,
  blacklist_id integer references video_blacklist (id) on delete cascade,
  follow_id integer references actor_follow (id) on delete cascade,
  registration_id integer references user_registration (id) on delete cascade,
  collaborator_id integer references video_channel_collaborator (id) on delete cascade,
  ownership_change_id integer references ownership_change (id) on delete cascade,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
-- Of all rows, since users who are removed take theirs along.
create index user_notification_list on user_notification (user_id, created_at desc, id desc);
create index user_notification_unread on user_notification (user_id) where web and not read;
create index user_notification_mail on user_notification (mail_at, id) where mail_at is not null;
create index user_notification_age on user_notification (updated_at) where mail_at is null and (read or not web);
create index user_notification_account on user_notification (account_id) where account_id is not null;
create index user_notification_video on user_notification (video_id) where video_id is not null;
create unique index user_notification_comment on user_notification (comment_id, user_id) where comment_id is not null;
create index user_notification_import on user_notification (import_id) where import_id is not null;
create index user_notification_blacklist on user_notification (blacklist_id) where blacklist_id is not null;
create index user_notification_follow on user_notification (follow_id) where follow_id is not null;
create index user_notification_registration on user_notification (registration_id) where registration_id is not null;
create index user_notification_collaborator on user_notification (collaborator_id) where collaborator_id is not null;
create index user_notification_ownership on user_notification (ownership_change_id)
  where ownership_change_id is not null;

-- A deleted comment that others have answered keeps its row; nobody is told of it any more.
create function comment_notification_gone() returns trigger language plpgsql as $$
begin
  delete from user_notification where comment_id = new.id;
  return null;
end $$;
create trigger comment_notification_gone after update of deleted_at on video_comment for each row
  when (old.deleted_at is null and new.deleted_at is not null) execute function comment_notification_gone();

create index actor_follow_tell on actor_follow (target_actor_id, id) where state = 'accepted';

-- Who follows a channel is told of a video once, when it first comes to be seen. What is seen today was told, or is old.
alter table video add column announced boolean not null default true;
alter table video alter column announced set default false;
alter table video disable trigger user;
update video set announced = false where visible = 0;
alter table video enable trigger user;

create function video_announced() returns trigger language plpgsql as $$
begin
  new.announced := true;
  -- What another instance published long ago is not news when it is heard of here.
  if new.remote and new.published_at < now() - interval '2 days' then return new; end if;
  if exists (
    select 1 from video_channel c join actor_follow f on f.target_actor_id = c.actor_id and f.state = 'accepted'
    where c.id = new.channel_id
  ) then
    insert into notification_event (tag, subject) values ('VideoPublished', new.id);
  end if;
  return new;
end $$;
-- Runs after video_listed: triggers run by name.
create trigger video_listed_announced before insert or update of state, privacy on video for each row
  when (new.visible > 0 and not new.announced) execute function video_announced();

-- Its owner waited for it: it was to be seen when all of it was ready, or at a time.
create function video_awaited() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from video_schedule_update where video_id = new.id)
    and not exists (select 1 from video_blacklist where video_id = new.id) then
    insert into notification_event (tag, subject) values ('MyVideoPublished', new.id);
  end if;
  return null;
end $$;
create trigger video_awaited after update of state on video for each row
  when (old.state in (2, 3) and new.state = 1 and new.wait_transcoding and not new.remote)
  execute function video_awaited();

create function blacklist_told() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into notification_event (tag, subject) values ('VideoBlocked', new.video_id);
  else
    insert into notification_event (tag, subject) select 'VideoUnblocked', id from video where id = old.video_id;
  end if;
  return null;
end $$;
create trigger blacklist_told after insert or delete on video_blacklist
  for each row execute function blacklist_told();

create function import_told() returns trigger language plpgsql as $$
begin
  insert into notification_event (tag, subject) values ('ImportFinished', new.id);
  return null;
end $$;
create trigger import_told after update of state on video_import for each row
  when (old.state not in (2, 3) and new.state in (2, 3)) execute function import_told();

create function collaborator_told() returns trigger language plpgsql as $$
begin
  insert into notification_event (tag, subject)
    values ((array['CollaborationAsked', 'CollaborationAccepted', 'CollaborationDeclined'])[new.state], new.id);
  return null;
end $$;
create trigger collaborator_asked after insert on video_channel_collaborator
  for each row execute function collaborator_told();
create trigger collaborator_answered after update of state on video_channel_collaborator for each row
  when (old.state <> new.state) execute function collaborator_told();

create function ownership_told() returns trigger language plpgsql as $$
begin
  insert into notification_event (tag, subject)
    values ((array['OwnershipAsked', 'OwnershipDeclined', 'OwnershipAccepted'])[new.state], new.id);
  return null;
end $$;
create trigger ownership_asked after insert on ownership_change for each row execute function ownership_told();
create trigger ownership_answered after update of state on ownership_change for each row
  when (old.state <> new.state) execute function ownership_told();

-- How many follow an actor of ours, and how many it follows: those that were accepted. Actors of others tell it themselves.
-- Once a statement and in the order of ids, so that no two wait in a circle; ready answers, which the counts void, come after
-- the actors, and those of an account's channels with it: two may follow each other's channels at the same moment.
create function follows_counted(actors integer[], changes integer[], targets boolean[]) returns void language plpgsql as $$
begin
  perform 1 from actor where id = any(actors) and server_id is null order by id for no key update;
  perform 1 from actor_wire w where w.actor_id = any(array(
    select a.id from actor a where a.id = any(actors) and a.server_id is null
    union
    select c.actor_id from actor a join account o on o.actor_id = a.id join video_channel c on c.account_id = o.id
    where a.id = any(actors) and a.server_id is null
  )) order by w.actor_id for no key update;
  update actor a set followers_count = a.followers_count + c.followers, following_count = a.following_count + c.following
    from (
      select id, coalesce(sum(change) filter (where target), 0) as followers,
        coalesce(sum(change) filter (where not target), 0) as following
      from unnest(actors, changes, targets) u (id, change, target) group by id
    ) c
    where a.id = c.id and a.server_id is null and (c.followers <> 0 or c.following <> 0);
end $$;

create function follow_added() returns trigger language plpgsql as $$
begin
  perform follows_counted(array_agg(id), array_agg(1), array_agg(target)) from (
    select target_actor_id as id, true as target from inserted where state = 'accepted'
    union all select actor_id, false from inserted where state = 'accepted'
  ) f having count(*) > 0;
  return null;
end $$;
create function follow_gone() returns trigger language plpgsql as $$
begin
  perform follows_counted(array_agg(id), array_agg(-1), array_agg(target)) from (
    select target_actor_id as id, true as target from deleted where state = 'accepted'
    union all select actor_id, false from deleted where state = 'accepted'
  ) f having count(*) > 0;
  return null;
end $$;
create function follow_changed() returns trigger language plpgsql as $$
begin
  perform follows_counted(array_agg(id), array_agg(change), array_agg(target)) from (
    select target_actor_id as id, true as target, 1 as change from inserted where state = 'accepted'
    union all select actor_id, false, 1 from inserted where state = 'accepted'
    union all select target_actor_id, true, -1 from deleted where state = 'accepted'
    union all select actor_id, false, -1 from deleted where state = 'accepted'
  ) f having count(*) > 0;
  return null;
end $$;
create trigger follow_added after insert on actor_follow
  referencing new table as inserted for each statement execute function follow_added();
create trigger follow_gone after delete on actor_follow
  referencing old table as deleted for each statement execute function follow_gone();
create trigger follow_changed after update on actor_follow
  referencing old table as deleted new table as inserted for each statement execute function follow_changed();

-- Counts of followers void answers often: those are found by their index now, where an "or" walked all of them.
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
  update actor_wire set wire = null where actor_id = any(array(
    select of_actor union all
    select c.actor_id from account a join video_channel c on c.account_id = a.id where a.actor_id = of_actor
  ));
  if in_lists then update video_wire set summary = null where video_id = any(videos); end if;
end $$;

update actor a set
    followers_count = (select count(*) from actor_follow f where f.target_actor_id = a.id and f.state = 'accepted'),
    following_count = (select count(*) from actor_follow f where f.actor_id = a.id and f.state = 'accepted')
  where a.server_id is null and exists (select 1 from actor_follow f where a.id in (f.actor_id, f.target_actor_id));

-- A video inside a notification (contract: VideoInfo).
create function wire_video_info(of_video integer) returns jsonb language sql stable as $$
  select jsonb_build_object('id', v.id, 'uuid', v.uuid, 'shortUUID', short_uuid(v.uuid), 'name', v.name,
    'state', wire_constant('state', v.state::text))
  from video v where v.id = of_video
$$;

create function wire_account_info(of_account integer) returns json language sql stable as $$
  select wire_actor_summary(a.id, a.display_name, a.actor_id, wire_origin()) from account a where a.id = of_account
$$;

create function wire_channel_info(of_channel integer) returns json language sql stable as $$
  select wire_actor_summary(c.id, c.display_name, c.actor_id, wire_origin()) from video_channel c where c.id = of_channel
$$;

-- What a notification is about (contract: Notification, its optional members).
create function wire_notification_subject(n user_notification) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'video', case when n.blacklist_id is null and n.comment_id is null and n.import_id is null
        and n.ownership_change_id is null then
      (select wire_video_info(v.id) || jsonb_build_object('channel', wire_channel_info(v.channel_id))
        from video v where v.id = n.video_id) end,
    'videoBlacklist', (select jsonb_build_object('id', b.id, 'video', wire_video_info(b.video_id))
      from video_blacklist b where b.id = n.blacklist_id),
    'comment', (select jsonb_build_object('id', c.id, 'threadId', coalesce(c.origin_comment_id, c.id),
        'heldForReview', c.held_for_review, 'video', wire_video_info(c.video_id), 'account', wire_account_info(c.account_id))
      from video_comment c where c.id = n.comment_id and c.deleted_at is null),
    'account', case when n.type = 9 then wire_account_info(n.account_id) end,
    'registration', (select jsonb_build_object('id', r.id, 'username', r.username)
      from user_registration r where r.id = n.registration_id),
    'actorFollow', (
      select jsonb_build_object('id', f.id, 'state', f.state, 'follower', wire_account_info(c.id), 'following',
        jsonb_build_object('type', case when h.id is null then 'account' else 'channel' end,
          'name', t.preferred_username, 'displayName', coalesce(h.display_name, x.display_name, t.preferred_username::text),
          'host', coalesce(s.host::text, wire_host(wire_origin()))))
      from actor_follow f left join account c on c.actor_id = f.actor_id join actor t on t.id = f.target_actor_id
        left join server s on s.id = t.server_id left join video_channel h on h.actor_id = t.id
        left join account x on x.actor_id = t.id
      where f.id = n.follow_id
    ),
    'videoChannelCollaborator', (
      select jsonb_build_object('id', k.id, 'state', wire_constant('collaboratorState', k.state::text),
        'channel', wire_channel_info(c.id), 'channelOwner', wire_account_info(c.account_id),
        'account', wire_account_info(k.account_id))
      from video_channel_collaborator k join video_channel c on c.id = k.channel_id where k.id = n.collaborator_id
    ),
    'changeOwnership', (
      select jsonb_build_object('id', o.id, 'state', wire_constant('ownershipState', o.state::text),
        'initiatorAccount', wire_account_info(o.initiator_account_id),
        'nextOwnerAccount', wire_account_info(o.next_owner_account_id),
        'video', wire_video_info(o.video_id), 'channel', wire_channel_info(o.channel_id))
      from ownership_change o where o.id = n.ownership_change_id
    )
  )) || coalesce((
    select jsonb_build_object('videoImport', jsonb_build_object('id', i.id, 'torrentName', i.torrent_name,
      'magnetUri', i.magnet_uri, 'targetUrl', i.target_url)
      || case when i.video_id is null then '{}'::jsonb else jsonb_build_object('video', wire_video_info(i.video_id)) end)
    from video_import i where i.id = n.import_id
  ), '{}')
$$;

-- Contract: Notification, with what it is about.
create function wire_notification_of(n user_notification, subject jsonb) returns text language sql stable as $$
  select left(jsonb_build_object('id', n.id, 'type', n.type, 'read', n.read, 'data', '{}'::jsonb)::text, -1)
    || coalesce(',' || nullif(left(substr(subject::text, 2), -1), ''), '')
    || ',"createdAt":"' || wire_time(n.created_at) || '","updatedAt":"' || wire_time(n.updated_at) || '"}'
$$;

create function wire_notification(n user_notification) returns text language sql stable as $$
  select wire_notification_of(n, wire_notification_subject(n))
$$;
`
