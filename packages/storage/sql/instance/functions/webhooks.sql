-- Marks of what webhooks are sent. What of it is news, and what it says, is decided by the program
-- (packages/node/src/instance/webhook).

-- Marks it in the transaction of the change, while an active webhook wants it.
create function mark_webhook_event(type text, source text, subject integer) returns void language sql as $$
  insert into webhook_event (type, source, subject)
  select $1, $2, $3 where exists (select from webhook where active and $1 = any(events))
$$;

-- Something happened to the row. The argument is the type of the event.
create function webhook_marked() returns trigger language plpgsql as $$
begin
  perform mark_webhook_event(tg_argv[0], tg_table_name, new.id);
  return null;
end $$;

-- A live began to be shown, or ended: its last session is the one.
create function webhook_live_marked() returns trigger language plpgsql as $$
declare
  session constant integer := (select id from live_session where video_id = new.id order by id desc limit 1);
begin
  if session is not null then
    perform mark_webhook_event(tg_argv[0], 'live_session', session);
  end if;
  return null;
end $$;
