-- What goes with an account or a channel.

-- An account or channel takes its actor with it.
create function owner_gone() returns trigger language plpgsql as $$
begin
  delete from actor where id = old.actor_id;
  if tg_table_name = 'account' then
    delete from owner_total where account_id = old.id;
    delete from block_version where account_id = old.id;
  end if;
  return null;
end $$;
