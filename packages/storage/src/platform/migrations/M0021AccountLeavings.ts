/**
 * Figures that are kept by account go with it. Videos go first, by cascade, and leave their changes in `owner_total`: the
 * trigger's name sorts after those of foreign keys, so that it fires after them.
 */
export const M0021AccountLeavings = `
create function account_gone() returns trigger language plpgsql as $$
begin
  delete from owner_total where account_id = old.id;
  delete from block_version where account_id = old.id;
  return null;
end $$;
create trigger account_gone after delete on account for each row execute function account_gone();
`
