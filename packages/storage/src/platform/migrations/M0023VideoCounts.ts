/** What videos are told apart by in `video_count`. Where nothing is known stands what no video says of itself. */
const kinds: ReadonlyArray<readonly [name: string, type: string, value: string]> = [
  ["language", "text", "coalesce(language, '_unknown')"],
  ["category", "smallint", "coalesce(category, -1::smallint)"],
  ["licence", "smallint", "coalesce(licence, -1::smallint)"],
  ["nsfw_flags", "integer", "nsfw_flags"],
  ["visible", "smallint", "visible"],
  ["nsfw", "boolean", "nsfw"],
  ["remote", "boolean", "remote"],
  ["is_live", "boolean", "is_live"],
  ["has_hls", "boolean", "has_hls"],
  ["has_web_videos", "boolean", "has_web_videos"]
]
const names = kinds.map(([name]) => name).join(", ")
const columns = kinds.map(([name, type]) => `${name} ${type} not null`).join(", ")
const values = kinds.map(([name, , value]) => (name === value ? name : `${value} as ${name}`)).join(", ")

/** Counts them all: what triggers keep from then on. */
export const countKinds = `insert into video_count (${names}, count)
  select ${values}, count(*) from video where visible > 0 group by ${kinds.map((_, index) => index + 1).join(", ")}`

/** Changes of a statement by owner and kind: what it took away counts below nothing. */
const follow = (change: string, rows: string) => `
begin
  with changes as materialized (
    select account_id, server_id, ${values}, ${change} as change
    from ${rows} where visible > 0
    group by account_id, server_id, ${kinds.map(([, , value]) => value).join(", ")} having ${change} <> 0
  ), counts as (
    insert into video_count_change (${names}, change)
      select ${names}, sum(change) from changes group by ${names} having sum(change) <> 0
  ), owners as (
    insert into owner_total
      select account_id, server_id, visible, nsfw, remote, sum(change) from changes
      group by 1, 2, 3, 4, 5 having sum(change) <> 0
  )
  -- With a change of nothing where a video only went from one to another: other totals are others then.
  insert into video_total (visible, nsfw, remote, change)
    select visible, nsfw, remote, sum(change) from changes group by 1, 2, 3;
  return null;
end`

/**
 * How many videos there are of each kind lists filter by, of those that anybody may list: totals of such filters are sums
 * over a few thousand rows. Changes are written beside and added up later, so that nothing that publishes waits for
 * another. `video_total` tells of every change by its rows.
 */
export const M0023VideoCounts = `
-- A node of before that still runs could write a video between the count and the triggers.
lock table video in share row exclusive mode;
create table video_count (
  ${columns},
  count integer not null,
  primary key (${names})
);
create index video_count_none on video_count (language) where count = 0;
create table video_count_change (
  ${columns},
  change integer not null
);
${countKinds};

create or replace function video_total_inserted() returns trigger language plpgsql as $$${follow("count(*)", "inserted")} $$;
create or replace function video_total_deleted() returns trigger language plpgsql as $$${follow("-count(*)", "deleted")} $$;
create or replace function video_total_updated() returns trigger language plpgsql as $$${follow(
  "sum(change)",
  `(select account_id, server_id, ${names}, 1 as change from inserted
      union all select account_id, server_id, ${names}, -1 from deleted) c`
)} $$;

-- Adds up to so many changes, where there are any; answers of how many.
create function compact_video_count(at_most integer) returns integer language plpgsql as $$
declare
  added integer;
begin
  with gone as (
    delete from video_count_change where ctid = any(array(
      select ctid from video_count_change limit at_most for update skip locked
    ))
    returning *
  ), summed as (
    insert into video_count as c (${names}, count)
      select ${names}, sum(change) from gone group by ${names} having sum(change) <> 0 order by ${names}
      on conflict (${names}) do update set count = c.count + excluded.count
  )
  select count(*) into added from gone;
  -- A kind whose last was taken in before its first waits below nothing for that.
  if added > 0 then delete from video_count where count = 0; end if;
  return added;
end $$;

-- Videos of each kind that the blocks of an account hide, but none that those of others hide already. Owners are few beside
-- videos: theirs are looked up, whatever the planner thinks of how many are blocked.
create function hidden_counts(blockers integer[], besides integer[])
returns table (${kinds.map(([name, type]) => `${name} ${type}`).join(", ")}, count integer)
language sql stable set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select ${values}, count(*)::integer from (
    select v.* from video v where v.visible > 0
      and v.account_id in (select target_account_id from account_block where account_id = any(blockers))
    union all select v.* from video v where v.visible > 0
      and v.server_id in (select server_id from server_block where account_id = any(blockers))
      and v.account_id not in (select target_account_id from account_block where account_id = any(blockers))
  ) v
  where account_id not in (select target_account_id from account_block where account_id = any(besides))
    and (server_id is null or server_id not in (select server_id from server_block where account_id = any(besides)))
  group by ${kinds.map((_, index) => index + 1).join(", ")}
$$;
`
