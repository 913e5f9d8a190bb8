-- The way of an activity of others, from its row to what it changes.
--
-- A row of `inbox_activity` is what a peer said, once for each id. Activities that set a state (a like, a follow, what
-- a video is) may come again under the same id, as PeerTube sends them: `digest` separates a repetition from a new one
-- (docs/decisions/inbox.md). Whatever a row changes commits together with its state.
--
-- Ratings of others come by the thousand, and what goes out about ratings concerns those of ours alone: while
-- `inbox_apply_rates` writes, the triggers that would look for one of ours in each row are left out.

-- One node at a time works for a host, whatever the placement of actors says. Held until the transaction ends.
create function inbox_turn(of_host citext) returns boolean language sql as
$$ select pg_try_advisory_xact_lock(1768845922, hashtext(lower(of_host::text))) $$;

-- Begins to apply one row: false when it is not to be done, or not by us. Which one it is stays known until the
-- transaction ends.
create function inbox_claim(of_host citext, of_id bigint) returns boolean language plpgsql as $$
begin
  if not inbox_turn(of_host) then return false; end if;
  perform 1 from inbox_activity where id = of_id and state = 'waiting' for update;
  if not found then return false; end if;
  perform set_config('kinora.applying', of_id::text, true);
  return true;
end $$;

create function inbox_applied(ids bigint[]) returns void language sql as $$
  update inbox_activity set state = 'applied', processed_at = now(), error = null, bytes = 0,
    body = jsonb_build_object('type', type)
    where id = any(ids)
$$;

-- Marks a row of which nothing is left to change: false when it is not to be done, or not by us.
create function inbox_settle(of_host citext, of_id bigint) returns boolean language plpgsql as $$
begin
  if not inbox_turn(of_host) then return false; end if;
  update inbox_activity set state = 'applied', processed_at = now(), error = null, bytes = 0,
    body = jsonb_build_object('type', type)
    where id = of_id and state = 'waiting';
  return found;
end $$;

-- Applies likes and dislikes that stand first in the line of a host, up to so many, in one go; answers how many rows
-- that were, and whether others were seen behind them. Of several by one account about one video the last counts. Those
-- about videos of others are theirs to count and come to nothing; those whose account is not known yet are left.
create function inbox_apply_rates(of_host citext, most integer) returns table (applied integer, others boolean)
language plpgsql set kinora.rates_of_others = 'on' as $$
declare
  ids bigint[];
  known integer[];
  accounts integer[];
  videos integer[];
  kinds text[];
begin
  applied := 0;
  others := false;
  if not inbox_turn(of_host) then return next; return; end if;
  with due as materialized (
    select id, type, actor_url, object from inbox_activity
    where host = of_host and state = 'waiting' and (not_before is null or not_before <= now()) order by id limit most
  ), line as materialized (
    select * from due where id < coalesce(
      (select min(id) from due where type not in ('Like', 'Dislike') or object is null), 9223372036854775807)
  ), target as materialized (
    select v.id, v.url, v.remote from video v where v.url in (select object from line)
      and (v.remote or video_is_federated(v.id))
  ), instance as materialized (
    select o.id from account o join actor t on t.id = o.actor_id
      where t.preferred_username = 'peertube'::citext and t.server_id is null
  ), rated as (
    select l.id, a.id as account_id, v.id as video_id, lower(l.type) as kind, v.remote from line l
      join actor r on r.url = l.actor_url and r.server_id is not null
      join account a on a.actor_id = r.id
      join target v on v.url = l.object
    -- Of whom the instance has muted meanwhile, nothing is applied.
    where not exists (select from account_block b join instance i on i.id = b.account_id where b.target_account_id = a.id)
      and not exists (select from server_block b join instance i on i.id = b.account_id where b.server_id = r.server_id)
  )
  select array_agg(id order by id), array_agg(account_id order by id) filter (where not remote),
    array_agg(video_id order by id) filter (where not remote), array_agg(kind order by id) filter (where not remote),
    (select count(*) from due) > (select count(*) from line)
    into ids, accounts, videos, kinds, others from rated;
  if ids is null then return next; return; end if;
  select array_agg(id) into known from (
    select id from account where id = any(accounts) order by id for key share
  ) a;
  perform 1 from video where id = any(videos) order by id for no key update;
  with wanted as (
    select distinct on (account_id, video_id) account_id, video_id, kind
    from unnest(accounts, videos, kinds) with ordinality w (account_id, video_id, kind, nth)
    where account_id = any(known) and exists (select from video v where v.id = w.video_id)
    order by account_id, video_id, nth desc
  ), changed as (
    select w.*, r.type as former from wanted w
      left join account_video_rate r on r.account_id = w.account_id and r.video_id = w.video_id
    where r.type is distinct from w.kind
  ), written as (
    insert into account_video_rate (account_id, video_id, type) select account_id, video_id, kind from changed
    on conflict (account_id, video_id) do update set type = excluded.type, updated_at = now()
  ), sums as (
    select video_id,
      sum((kind = 'like')::integer - (former is not distinct from 'like')::integer)::integer as likes,
      sum((kind = 'dislike')::integer - (former is not distinct from 'dislike')::integer)::integer as dislikes
    from changed group by video_id
  )
  update video v set likes = v.likes + s.likes, dislikes = v.dislikes + s.dislikes from sums s
    where v.id = s.video_id and (s.likes <> 0 or s.dislikes <> 0);
  perform inbox_applied(ids);
  applied := cardinality(ids);
  return next;
end $$;
