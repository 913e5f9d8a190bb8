/**
 * Follows across instances, and copies of videos. A copy is what one instance keeps of the HLS files of another's video: ours
 * have a strategy and files, those others tell us of have neither.
 */
export const M0038Follows = `
-- The instance as a whole may be what is followed.
create or replace function wire_notification_subject(n user_notification) returns jsonb language sql stable as $$
  select jsonb_strip_nulls(jsonb_build_object(
    'video', case when n.blacklist_id is null and n.comment_id is null and n.import_id is null
        and n.ownership_change_id is null then
      (select wire_video_info(v.id) || jsonb_build_object('channel', wire_channel_info(v.channel_id))
        from video v where v.id = n.video_id) end,
    'videoBlacklist', (select jsonb_build_object('id', b.id, 'video', wire_video_info(b.video_id))
      from video_blacklist b where b.id = n.blacklist_id),
    'comment', (select jsonb_build_object('id', c.id, 'threadId', coalesce(c.origin_comment_id, c.id),
        'heldForReview', c.held_for_review, 'video', wire_video_info(c.video_id), 'account', wire_account_info(c.account_id))
      from video_comment c where c.id = n.comment_id and c.deleted_at is null),
    'account', case when n.type = 9 then wire_account_info(n.account_id) end,
    'registration', (select jsonb_build_object('id', r.id, 'username', r.username)
      from user_registration r where r.id = n.registration_id),
    'actorFollow', (
      select jsonb_build_object('id', f.id, 'state', f.state, 'follower', wire_account_info(c.id), 'following',
        jsonb_build_object('type', case when t.type = 'Application' then 'instance' when h.id is null then 'account' else 'channel' end,
          'name', t.preferred_username, 'displayName', coalesce(h.display_name, x.display_name, t.preferred_username::text),
          'host', coalesce(s.host::text, wire_host(wire_origin()))))
      from actor_follow f left join account c on c.actor_id = f.actor_id join actor t on t.id = f.target_actor_id
        left join server s on s.id = t.server_id left join video_channel h on h.actor_id = t.id
        left join account x on x.actor_id = t.id
      where f.id = n.follow_id
    ),
    'videoChannelCollaborator', (
      select jsonb_build_object('id', k.id, 'state', wire_constant('collaboratorState', k.state::text),
        'channel', wire_channel_info(c.id), 'channelOwner', wire_account_info(c.account_id),
        'account', wire_account_info(k.account_id))
      from video_channel_collaborator k join video_channel c on c.id = k.channel_id where k.id = n.collaborator_id
    ),
    'changeOwnership', (
      select jsonb_build_object('id', o.id, 'state', wire_constant('ownershipState', o.state::text),
        'initiatorAccount', wire_account_info(o.initiator_account_id),
        'nextOwnerAccount', wire_account_info(o.next_owner_account_id),
        'video', wire_video_info(o.video_id), 'channel', wire_channel_info(o.channel_id))
      from ownership_change o where o.id = n.ownership_change_id
    )
  )) || coalesce((
    select jsonb_build_object('videoImport', jsonb_build_object('id', i.id, 'torrentName', i.torrent_name,
      'magnetUri', i.magnet_uri, 'targetUrl', i.target_url)
      || case when i.video_id is null then '{}'::jsonb else jsonb_build_object('video', wire_video_info(i.video_id)) end)
    from video_import i where i.id = n.import_id
  ), '{}')
$$;

create table video_redundancy (
  id integer generated always as identity primary key,
  video_id integer not null references video (id) on delete cascade,
  streaming_playlist_id integer not null references streaming_playlist (id) on delete cascade,
  -- Who keeps it.
  actor_id integer not null references actor (id) on delete cascade,
  -- Id of its CacheFile.
  url text not null unique,
  -- Where its files are, without their names.
  base_url text not null,
  strategy text check (strategy in ('manual', 'most-views', 'trending', 'recently-added')),
  size bigint not null default 0 check (size >= 0),
  -- Objects of the bucket "redundancy".
  files text[] not null default '{}',
  -- Null: until somebody removes it.
  expires_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (streaming_playlist_id, actor_id)
);
create index video_redundancy_video on video_redundancy (video_id);
create index video_redundancy_actor on video_redundancy (actor_id);
create index video_redundancy_ours on video_redundancy (strategy, expires_at) where strategy is not null;

create function video_redundancy_void() returns trigger language plpgsql as $$
begin
  update video_wire set details = null
    where video_id = case when tg_op = 'DELETE' then old.video_id else new.video_id end;
  return null;
end $$;
create trigger video_redundancy_void after insert or update or delete on video_redundancy
  for each row execute function video_redundancy_void();

-- However a copy goes, its files do: players that run have an hour.
create function video_redundancy_gone() returns trigger language plpgsql as $$
begin
  insert into object_removal (bucket, name, not_before)
    select 'redundancy', name, now() + interval '1 hour' from unnest(old.files) name;
  return null;
end $$;
create trigger video_redundancy_gone after delete on video_redundancy for each row
  when (old.files <> '{}') execute function video_redundancy_gone();

create or replace function wire_playlists(of_video integer) returns json language sql stable as $$
  select coalesce(json_agg(row_to_json(p)), '[]') from (
    select s.id, s.type,
      coalesce(s.playlist_url, o.origin || folder || s.playlist_filename) as "playlistUrl",
      coalesce(s.segments_sha256_url, o.origin || folder || s.segments_sha256_filename) as "segmentsSha256Url",
      coalesce((
        select json_agg(json_build_object('baseUrl', r.base_url) order by r.id) from (
          select id, base_url from video_redundancy
          where streaming_playlist_id = s.id and (expires_at is null or expires_at > now()) order by id limit 20
        ) r
      ), '[]'::json) as redundancies, wire_files(v.id, s.id) as files
    from streaming_playlist s join video v on v.id = s.video_id, (select wire_origin() as origin) o,
      lateral (select '/static/streaming-playlists/hls/' || case when v.privacy > 2 then 'private/' else '' end || v.uuid
        || '/' as folder) d
    where s.video_id = of_video order by s.id
  ) p
$$;

-- A CacheFile of ours (contract: activitypub.json, CacheFile), without its context.
create function ap_cache_file(of_redundancy integer) returns text language sql stable as $$
  select json_build_object('id', r.url, 'type', 'CacheFile', 'object', v.url, 'expires', wire_time(r.expires_at),
    'url', json_build_object('type', 'Link', 'mediaType', 'application/x-mpegURL', 'href', r.base_url))::text
  from video_redundancy r join video v on v.id = r.video_id where r.id = of_redundancy and r.strategy is not null
$$;
`
