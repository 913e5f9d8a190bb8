-- Wakeup signals.

-- Sends one when the transaction commits. The arguments are the channel and the payload.
create function wakeup() returns trigger language plpgsql as $$
begin
  perform pg_notify(tg_argv[0], tg_argv[1]);
  return null;
end $$;
