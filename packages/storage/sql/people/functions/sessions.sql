-- Notifies nodes of sessions that ended and of users that changed.

-- Nodes keep what a token says until they are notified on the channel "session": the payload is the user's id.
create function session_changed() returns trigger language plpgsql as $$
begin
  if tg_table_name = 'app_user' then perform pg_notify('session', old.id::text);
  else perform pg_notify('session', old.user_id::text);
  end if;
  return null;
end $$;
