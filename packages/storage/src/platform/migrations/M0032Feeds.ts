/** Tables whose rows feeds tell of, or that decide what feeds may tell. */
const told = [
  "video",
  "video_file",
  "streaming_playlist",
  "thumbnail",
  "tag",
  "video_tag",
  "video_blacklist",
  "video_caption",
  "video_chapter",
  "account",
  "video_channel",
  "video_channel_collaborator",
  "actor",
  "actor_image",
  "actor_follow",
  "server",
  "account_block",
  "server_block",
  "video_comment"
] as const

const triggers = told
  .map(
    (table) =>
      `create trigger feed_changed after insert or update or delete on ${table} for each statement execute function feed_changed();`
  )
  .join("\n")

/**
 * The number of changes to what feeds are made of: what was made of it holds as long as the number is the same.
 *
 * Each connection counts in a row of its own, once a transaction, so that no two ever wait for each other here; the number is
 * the sum over the rows, and a change is in it from its commit on, never earlier.
 */
export const M0032Feeds = `
create table feed_version (
  backend integer primary key,
  version bigint not null
) with (fillfactor = 50);

create function feed_changed() returns trigger language plpgsql as $$
begin
  -- A setting of the transaction, which ends with it, and is taken back with the row when it goes back to a savepoint.
  if current_setting('kinora.feed_changed', true) is distinct from 'yes' then
    insert into feed_version as v (backend, version) values (pg_backend_pid(), 1)
      on conflict (backend) do update set version = v.version + 1;
    perform set_config('kinora.feed_changed', 'yes', true);
  end if;
  return null;
end $$;
${triggers}

-- Adds up what connections that have ended counted: the sum stays what it is.
create function compact_feed_version() returns void language sql as $$
  with gone as (
    delete from feed_version where backend <> 0 and backend not in (select pid from pg_stat_activity) returning version
  )
  insert into feed_version as v (backend, version)
    select 0, sum(version) from gone having count(*) > 0
    on conflict (backend) do update set version = v.version + excluded.version
$$;
`
