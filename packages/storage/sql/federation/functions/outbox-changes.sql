-- Marks of changes: the outbox (packages/node/src/federation/outbox) reads them and makes the activities.

-- Marks a thing for the outbox, which wakes up when this transaction commits. Of several marks in one transaction about one thing
-- the first says how it was before, the last how it is after.
create function mark_change(of_kind text, of_thing integer, of_details jsonb default null, of_by integer default 0) returns void
language plpgsql as $$
declare
  known outbox_change;
  merged jsonb;
  -- How many things the transaction has marked.
  marked integer;
begin
  if not federation_setting('enabled', true) then return; end if;
  select * into known from outbox_change
    where kind = of_kind and thing_id = of_thing and by_id = of_by and xact = pg_current_xact_id();
  if found then
    merged := coalesce(known.details, '{}') || coalesce(of_details, '{}')
      || case when known.details ? 'before' then jsonb_build_object('before', known.details -> 'before') else '{}' end;
    if merged <> coalesce(known.details, '{}') then
      update outbox_change set details = merged where id = known.id;
    end if;
    return;
  end if;
  marked := coalesce(nullif(current_setting('kinora.marked', true), '')::integer, 0) + 1;
  perform set_config('kinora.marked', marked::text, true);
  insert into outbox_change (kind, thing_id, by_id, details, bulk)
    values (of_kind, of_thing, of_by, of_details, marked > 20);
  perform pg_notify('outbox', '');
end $$;
