-- Counts changes to what feeds are made of.

create function feed_changed() returns trigger language plpgsql as $$
begin
  -- A setting of the transaction, which ends with it, and is taken back with the row when it goes back to a savepoint.
  if current_setting('kinora.feed_changed', true) is distinct from 'yes' then
    insert into feed_version as v (backend, version) values (pg_backend_pid(), 1)
      on conflict (backend) do update set version = v.version + 1;
    perform set_config('kinora.feed_changed', 'yes', true);
  end if;
  return null;
end $$;
