-- Notifies nodes of sessions that ended and of users that changed.

-- Nodes keep what a token says until they are notified on the channel "session": the payload is the user's id.
create function session_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session', case when tg_op = 'DELETE' then old.user_id else new.user_id end::text);
  return null;
end $$;

create function session_user_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('session', old.id::text);
  return null;
end $$;
