-- Marks of changes: the outbox (packages/node/src/federation/outbox) reads them and makes the activities.

-- Details of a mark after another one of the same thing: how it was before stays as the first said.
create function mark_details(known jsonb, later jsonb) returns jsonb
language sql immutable as $$
  select coalesce(known, '{}') || coalesce(later, '{}')
    || case when known ? 'before' then jsonb_build_object('before', known -> 'before') else '{}' end
$$;

-- Marks a thing for the outbox, which wakes up when this transaction commits. Of several marks in one transaction about one thing
-- the first says how it was before, the last how it is after.
create function mark_change(of_kind text, of_thing integer, of_details jsonb default null, of_by integer default 0) returns void
language plpgsql as $$
declare
  -- How many things the transaction has marked, with this one.
  marked integer := coalesce(nullif(current_setting('kinora.marked', true), '')::integer, 0) + 1;
  is_new boolean;
begin
  if not federation_setting('enabled', true) then return; end if;
  -- A conflict is found by the index, whatever the planner thought of the table when this was called first: a statement that
  -- changes thousands of things would read all marks again for each of them.
  insert into outbox_change as known (kind, thing_id, by_id, details, bulk)
    values (of_kind, of_thing, of_by, of_details, marked > 20)
    on conflict (kind, thing_id, by_id, xact) do update
      set details = mark_details(known.details, excluded.details)
      where mark_details(known.details, excluded.details) <> coalesce(known.details, '{}')
    returning known.xmax = 0 into is_new;
  if is_new is not true then return; end if;
  perform set_config('kinora.marked', marked::text, true);
  perform pg_notify('outbox', '');
end $$;
