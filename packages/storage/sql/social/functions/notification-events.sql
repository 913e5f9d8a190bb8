-- Records what notifications are about. What a table knows of itself is recorded by triggers: whichever way a video
-- comes to be seen, it is recorded once.

create function notification_event_told() returns trigger language plpgsql as $$
begin
  perform pg_notify('notification', 'event');
  return null;
end $$;

-- A deleted comment that others have answered keeps its row; nobody is notified of it any more.
create function comment_notification_gone() returns trigger language plpgsql as $$
begin
  delete from user_notification where comment_id = new.id;
  return null;
end $$;

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

-- Its owner waited for it: it was to be seen when all of it was ready, or at a time.
create function video_awaited() returns trigger language plpgsql as $$
begin
  if not exists (select 1 from video_schedule_update where video_id = new.id)
    and not exists (select 1 from video_blacklist where video_id = new.id) then
    insert into notification_event (tag, subject) values ('MyVideoPublished', new.id);
  end if;
  return null;
end $$;

create function blacklist_told() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into notification_event (tag, subject) values ('VideoBlocked', new.video_id);
  else
    insert into notification_event (tag, subject) select 'VideoUnblocked', id from video where id = old.video_id;
  end if;
  return null;
end $$;

create function import_told() returns trigger language plpgsql as $$
begin
  insert into notification_event (tag, subject) values ('ImportFinished', new.id);
  return null;
end $$;

create function collaborator_told() returns trigger language plpgsql as $$
begin
  insert into notification_event (tag, subject)
    values ((array['CollaborationAsked', 'CollaborationAccepted', 'CollaborationDeclined'])[new.state], new.id);
  return null;
end $$;

create function ownership_told() returns trigger language plpgsql as $$
begin
  insert into notification_event (tag, subject)
    values ((array['OwnershipAsked', 'OwnershipDeclined', 'OwnershipAccepted'])[new.state], new.id);
  return null;
end $$;
