-- Deliveries, and whose turn it is (docs/decisions/delivery.md).
--
-- Who has many followers does not wait until a delivery is written for each of their hosts: an activity that goes to
-- more than a hundred inboxes commits with one row that names them all (`delivery_fanout`), and the node makes its
-- deliveries of that row right after (`OutgoingActivities.expand`), both in one statement. So each inbox gets it once, whoever dies
-- in between, and by whichever node. The oldest goes first and others wait for it, and whatever is about a thing of
-- which a row waits joins the row's queue: activities about one thing are delivered in their order.

-- What is due of a host, in its order; nothing about a thing of which something earlier has to wait. Rows of one host
-- are few among all: they are found by their index whatever the planner knows of the table, from the rows of the host
-- to their activities and never the other way, which reads the rows of all hosts.
create function due_deliveries(of_host text, first_lane boolean, at_most integer) returns table (
  id bigint, activity_id bigint, inbox_url text, attempts integer, thing text, type text
) language plpgsql stable rows 4 set enable_seqscan = off as $$
begin
  return query
    with held as materialized (
      select a.thing, min(d.id) as id
      from delivery d cross join lateral (select w.thing from activity w where w.id = d.activity_id offset 0) a
      where d.host = of_host and (d.lane = 0) = first_lane and d.next_attempt_at > now() and a.thing is not null group by 1
    )
    select d.id, d.activity_id, d.inbox_url, d.attempts, a.thing, a.type
    from delivery d
      cross join lateral (select w.thing, w.type from activity w where w.id = d.activity_id offset 0) a
      left join held h on h.thing = a.thing and h.id < d.id
    where d.host = of_host and (d.lane = 0) = first_lane and d.next_attempt_at <= now() and h.id is null
    order by d.lane, d.id limit at_most;
end $$;

-- Of these hosts, those this node has from now on for at least eleven and a half seconds: a turn is kept when it is four seconds
-- old, and a delivery that began just before takes seven.
create function take_delivery_turns(hosts text[], of_node text) returns setof text language plpgsql set enable_seqscan = off as $$
begin
  return query
    with wanted as materialized (select distinct w.host collate "C" as host from unnest(hosts) w (host)),
    had as materialized (
      select t.host from delivery_turn t join wanted w on w.host = t.host
      where t.node = of_node and t.until > now() + interval '11.5 seconds'
    ), taken as (
      insert into delivery_turn as t (host, node, until)
      select w.host, of_node, now() + interval '12.5 seconds' from wanted w
      where w.host not in (select h.host from had h) and exists (select from delivery d where d.host = w.host)
      order by w.host
      on conflict (host) do update set node = excluded.node, until = excluded.until
        where t.node = excluded.node or t.until <= now()
      returning t.host
    )
    select h.host from had h union all select k.host from taken k;
end $$;

-- Hosts with something due now: those that are well first, those that fail last. Steps from host to host over an index,
-- whatever the planner knows of a table that was empty a second ago: the rows of one that waits may be many.
create function due_hosts() returns table (host text, part text, well boolean) language sql volatile
set enable_seqscan = off as $$
  with recursive waiting as (
    (select d.host from delivery d order by d.host limit 1)
    union all
    select (select d.host from delivery d where d.host > w.host order by d.host limit 1)
    from waiting w where w.host is not null
  )
  select distinct d.host, 'first', true from delivery d where d.lane = 0 and d.next_attempt_at <= now()
  union all (
    select w.host, 'rest', coalesce(h.failures = 0 and h.last_success_at is not null, false)
    from waiting w left join delivery_host h on h.host = w.host
    where w.host is not null and (h.rest_until is null or h.rest_until <= now()) and exists (
      select from delivery d where d.host = w.host and d.lane > 0 and d.next_attempt_at <= now()
    )
    order by 3 desc, h.failing_since nulls first, random()
  )
$$;
