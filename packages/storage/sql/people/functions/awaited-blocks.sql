-- Accounts that subscriptions have blocked before they were known here.

-- From its first moment, an account is blocked that a list of others names.
create function account_awaited() returns trigger language plpgsql as $$
begin
  insert into account_block (account_id, target_account_id, by_hand)
    select o.id, new.id, false
    from actor a join server s on s.id = a.server_id,
      account o join actor oa on oa.id = o.actor_id
    where a.id = new.actor_id and oa.server_id is null and oa.type = 'Application'
      and exists (
        select from blocklist_entry e where e.host = s.host and e.name = a.preferred_username and not e.lifted
      )
    on conflict do nothing;
  return null;
end $$;
