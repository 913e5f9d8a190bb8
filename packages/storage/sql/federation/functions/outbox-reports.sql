-- Reports that others have to hear of.

-- A report that was made here, of something of another instance: whose it is decides.
create function report_marked() returns trigger language plpgsql as $$
begin
  if exists (
    select from account o join actor a on a.id = o.actor_id where o.id = new.flagged_account_id and a.server_id is not null
  ) then
    perform mark_change('report', new.id);
  end if;
  return null;
end $$;
