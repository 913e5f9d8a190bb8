-- Deliveries that wait, those included that are not written yet.

-- All that waits, as administrators see it.
create view waiting_delivery as
  select id, activity_id, inbox_url, host, lane, attempts, next_attempt_at, last_error, created_at from delivery
  union all
  select null, f.activity_id, i, inbox_host(i) collate "C", f.lane, 0, f.created_at, null, f.created_at
  from delivery_fanout f, unnest(f.inboxes) i;
