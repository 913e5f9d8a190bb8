import { M0035RemoteActors } from "./M0035RemoteActors.ts"
import { M0035RemoteVideos } from "./M0035RemoteVideos.ts"

/**
 * What other instances have, in the tables of what is ours: actors, videos, comments and playlists with their addresses
 * elsewhere. What is only needed to ask for them again stands beside them, so that asking changes nothing readers see.
 */
export const M0035RemoteObjects = `
${M0035RemoteActors}
${M0035RemoteVideos}

-- Copies of pictures and captions of others that were asked for here, and may go when room is needed.
create table remote_copy (
  bucket text not null,
  name text not null,
  size bigint not null check (size >= 0),
  made_at timestamptz not null default now(),
  primary key (bucket, name)
);
create index remote_copy_made on remote_copy (bucket, made_at desc);

create function remote_copies_gone() returns trigger language plpgsql as $$
begin
  with copies as (
    delete from remote_copy c using gone g where c.bucket = tg_argv[0] and c.name = g.filename and g.remote_url is not null
    returning c.bucket, c.name
  )
  insert into object_removal (bucket, name) select bucket, name from copies;
  return null;
end $$;
${(
  [
    ["thumbnail", "thumbnails"],
    ["storyboard", "storyboards"],
    ["video_caption", "captions"],
    ["actor_image", "avatars"],
    ["video_playlist_thumbnail", "thumbnails"]
  ] as const
)
  .map(
    ([table, bucket]) => `create trigger remote_copies_gone after delete on ${table}
  referencing old table as gone for each statement execute function remote_copies_gone('${bucket}');`
  )
  .join("\n")}

-- Comments of other instances that were deleted, here or there: they do not come again as long as there is their video.
create table comment_gone (
  url text primary key,
  video_id integer not null references video (id) on delete cascade
);
create index comment_gone_video on comment_gone (video_id);

create function remote_comment_gone() returns trigger language plpgsql as $$
begin
  insert into comment_gone (url, video_id) values (old.url, old.video_id) on conflict (url) do nothing;
  return null;
end $$;
create trigger remote_comment_gone after update of deleted_at on video_comment for each row
  when (old.deleted_at is null and new.deleted_at is not null and old.server_id is not null)
  execute function remote_comment_gone();

-- Whether the instance, or the account, has muted an account or all of its instance.
create function is_muted_for(of_account integer, for_account integer) returns boolean language sql stable as $$
  select exists (
    select from account f join actor t on t.id = f.actor_id, (
      select for_account as id
      union all
      select o.id from account o join actor a on a.id = o.actor_id where a.preferred_username = 'peertube' and a.server_id is null
    ) o
    where f.id = of_account and (
      exists (select from account_block b where b.account_id = o.id and b.target_account_id = f.id)
      or exists (select from server_block b where b.account_id = o.id and b.server_id = t.server_id)
    )
  )
$$;

-- A comment of somebody of another instance. Outcome: 'known', 'held' or 'written' with its id, or why there is none.
create function add_remote_comment(
  of_video integer, of_account integer, of_parent integer, of_url text, of_text text, published timestamptz,
  changed timestamptz, hold boolean
) returns table (outcome text, comment_id integer) language plpgsql as $$
declare
  policy smallint;
  owner integer;
  parent video_comment;
  origin integer;
  now_held boolean;
begin
  perform 1 from account where id = of_account for key share;
  if not found then outcome := 'no account'; return next; return; end if;
  select v.comments_policy, v.account_id into policy, owner from video v where v.id = of_video for no key update;
  if not found then outcome := 'no video'; return next; return; end if;
  select c.id into comment_id from video_comment c where c.url = of_url;
  if found then outcome := 'known'; return next; return; end if;
  if exists (select from comment_gone where url = of_url) then outcome := 'gone'; return next; return; end if;
  if policy = 2 then outcome := 'disabled'; return next; return; end if;
  if is_muted_for(of_account, owner) then outcome := 'muted'; return next; return; end if;
  if of_parent is not null then
    select * into parent from video_comment where id = of_parent;
    if parent.id is null or parent.video_id <> of_video then outcome := 'no comment'; return next; return; end if;
    origin := coalesce(parent.origin_comment_id, parent.id);
  end if;
  now_held := hold or coalesce(parent.held_for_review, false);
  outcome := case when now_held then 'held' else 'written' end;
  insert into video_comment (url, video_id, account_id, server_id, origin_comment_id, in_reply_to_comment_id, text,
      held_for_review, shown, created_at, updated_at)
    select of_url, of_video, of_account, a.server_id, origin, parent.id, of_text, now_held, not now_held,
      least(coalesce(published, now()), now()), least(coalesce(changed, published, now()), now())
    from account c join actor a on a.id = c.actor_id where c.id = of_account
    returning id into comment_id;
  if not now_held then
    update video_comment set children = children + (id = parent.id)::integer, replies = replies + (id = origin)::integer
      where id in (parent.id, origin);
    -- A deleted one is seen again, now that there is something below it.
    perform settle_comment(parent.id);
    update video set comments = comments + 1 where id = of_video;
  end if;
  return next;
end $$;

-- Playlists elsewhere, and when they were read.
create table remote_playlist (
  playlist_id integer primary key references video_playlist (id) on delete cascade,
  fetched_at timestamptz not null default now()
);
`
