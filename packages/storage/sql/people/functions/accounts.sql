-- What goes with an account or a channel.

-- An account or channel takes its actor with it.
create function delete_orphan_actor() returns trigger language plpgsql as $$
begin
  delete from actor where id = old.actor_id;
  return null;
end $$;

create function account_gone() returns trigger language plpgsql as $$
begin
  delete from owner_total where account_id = old.id;
  delete from block_version where account_id = old.id;
  return null;
end $$;
