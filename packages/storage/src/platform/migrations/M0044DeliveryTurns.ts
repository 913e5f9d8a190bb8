/**
 * One node at a time sends to a host. A node that works for a host has it for fifteen seconds and may have it for longer as
 * long as nobody took it; who ends without a word loses it when these are over. What is lost with a crash of the server
 * lets the next one take it at once, so nothing is logged.
 */
export const M0044DeliveryTurns = `
create unlogged table delivery_turn (
  host text collate "C" primary key,
  -- Which node has it, by its name.
  node text not null,
  until timestamptz not null
);
create index delivery_turn_until on delivery_turn (until);

-- Of these hosts, those this node has from now on for at least twelve seconds.
create function take_delivery_turns(hosts text[], of_node text) returns setof text language plpgsql as $$
begin
  -- Nobody comes back to most hosts for long.
  if random() < 0.01 then
    delete from delivery_turn where host in (
      select t.host from delivery_turn t where t.until < now() - interval '10 minutes' limit 1000 for update skip locked);
  end if;
  return query
    with wanted as materialized (select distinct w.host collate "C" as host from unnest(hosts) w (host)),
    had as materialized (
      select t.host from delivery_turn t join wanted w on w.host = t.host
      where t.node = of_node and t.until > now() + interval '12 seconds'
    ), taken as (
      insert into delivery_turn as t (host, node, until)
      select w.host, of_node, now() + interval '15 seconds' from wanted w
      where w.host not in (select h.host from had h) and exists (select from delivery d where d.host = w.host)
      order by w.host
      on conflict (host) do update set node = excluded.node, until = excluded.until
        where t.node = excluded.node or t.until <= now()
      returning t.host
    )
    select h.host from had h union all select k.host from taken k;
end $$;
`
