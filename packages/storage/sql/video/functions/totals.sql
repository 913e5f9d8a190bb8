-- How many videos there are of each kind lists filter by, of those that anybody may list: totals of such filters are
-- sums over a few thousand rows. Changes are written beside and added up later, so that nothing that publishes waits
-- for another. `video_total` gets a row with every change.

-- Changes of a statement by owner and kind: what it took away counts below nothing.
create function video_total_changed() returns trigger language plpgsql as $$
declare
  sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
begin
  with changes as materialized (
    select account_id, server_id, coalesce(language, '_unknown') as language, coalesce(category, -1::smallint) as category,
      coalesce(licence, -1::smallint) as licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos,
      sign * count(*) as change
    from changed where visible > 0
    group by account_id, server_id, coalesce(language, '_unknown'), coalesce(category, -1::smallint),
      coalesce(licence, -1::smallint), nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos
  ), counts as (
    insert into video_count_change (
      language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, change
    )
      select language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, sum(change)
      from changes
      group by language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos
      having sum(change) <> 0
  ), owners as (
    insert into owner_total
      select account_id, server_id, visible, nsfw, remote, sum(change) from changes
      group by 1, 2, 3, 4, 5 having sum(change) <> 0
  )
  -- With a change of nothing where a video only went from one to another: other totals are others then.
  insert into video_total (visible, nsfw, remote, change)
    select visible, nsfw, remote, sum(change) from changes group by 1, 2, 3;
  return null;
end $$;

create function video_total_updated() returns trigger language plpgsql as $$
begin
  with changes as materialized (
    select account_id, server_id, coalesce(language, '_unknown') as language, coalesce(category, -1::smallint) as category,
      coalesce(licence, -1::smallint) as licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos,
      sum(change) as change
    from (
      select account_id, server_id, language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, 1 as change
      from inserted
      union all select account_id, server_id, language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, -1
      from deleted
    ) c where visible > 0
    group by account_id, server_id, coalesce(language, '_unknown'), coalesce(category, -1::smallint),
      coalesce(licence, -1::smallint), nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos
    having sum(change) <> 0
  ), counts as (
    insert into video_count_change (
      language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, change
    )
      select language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos, sum(change)
      from changes
      group by language, category, licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos
      having sum(change) <> 0
  ), owners as (
    insert into owner_total
      select account_id, server_id, visible, nsfw, remote, sum(change) from changes
      group by 1, 2, 3, 4, 5 having sum(change) <> 0
  )
  -- With a change of nothing where a video only went from one to another: other totals are others then.
  insert into video_total (visible, nsfw, remote, change)
    select visible, nsfw, remote, sum(change) from changes group by 1, 2, 3;
  return null;
end $$;

-- How many videos the blocks of these accounts hide from a total; a null asks for both kinds. One pass over the owners,
-- each looked up, or with both sets of blocks hashed where these are few.
create function hidden_total(blockers integer[], of_least smallint, of_nsfw boolean, of_remote boolean)
returns bigint language sql stable as $$
  select coalesce(sum(o.change), 0) from owner_total o
  where (exists (select from account_block b where b.account_id = any(blockers) and b.target_account_id = o.account_id)
      or exists (select from server_block b where b.account_id = any(blockers) and b.server_id = o.server_id))
    and o.visible >= of_least and o.nsfw = coalesce(of_nsfw, o.nsfw) and o.remote = coalesce(of_remote, o.remote)
$$;

-- Videos of each kind that the blocks of an account hide, but none that those of others hide already. Owners are few
-- beside videos, and may be few beside blocks: it is they who are looked up, and then their videos.
create function hidden_counts(blockers integer[], besides integer[])
returns table (
  language text, category smallint, licence smallint, nsfw_flags integer, visible smallint, nsfw boolean, remote boolean,
  is_live boolean, has_hls boolean, has_web_videos boolean, count integer
)
language sql stable set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
  select coalesce(v.language, '_unknown') as language, coalesce(category, -1::smallint) as category,
    coalesce(licence, -1::smallint) as licence, nsfw_flags, visible, nsfw, remote, is_live, has_hls, has_web_videos,
    count(*)::integer
  from (
    select o.account_id, o.server_id from owner_total o
    where (exists (select from account_block b where b.account_id = any(blockers) and b.target_account_id = o.account_id)
        or exists (select from server_block b where b.account_id = any(blockers) and b.server_id = o.server_id))
      and not exists (select from account_block b where b.account_id = any(besides) and b.target_account_id = o.account_id)
      and not exists (select from server_block b where b.account_id = any(besides) and b.server_id = o.server_id)
    group by o.account_id, o.server_id
  ) o join video v on v.account_id = o.account_id and v.server_id is not distinct from o.server_id and v.visible > 0
  group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
$$;

create function block_changed() returns trigger language plpgsql as $$
begin
  insert into block_version as v (account_id) select distinct account_id from changed order by account_id
    on conflict (account_id) do update set version = v.version + 1;
  return null;
end $$;
