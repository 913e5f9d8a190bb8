-- Answers about collaborators and changes of owner.

-- A collaborator of a channel (contract: VideoChannelCollaborator).
create function wire_collaborator(of_collaborator integer) returns json language sql stable as $$
  select row_to_json(x) from (
    select k.id, wire_actor_summary(a.id, a.display_name, a.actor_id, wire_origin()) as account,
      wire_constant('collaboratorState', k.state::text) as state,
      wire_time(k.created_at) as "createdAt", wire_time(k.updated_at) as "updatedAt"
    from video_channel_collaborator k join account a on a.id = k.account_id where k.id = of_collaborator
  ) x
$$;

-- A video inside something else (contract: VideoSummary).
create function wire_video_mention(of_video integer) returns json language sql stable as $$
  select row_to_json(x) from (
    select v.id, v.uuid, short_uuid(v.uuid) as "shortUUID", v.name, v.is_live as "isLive", v.nsfw,
      wire_time(v.published_at) as "publishedAt", wire_thumbnails(v.id, wire_origin()) as thumbnails,
      wire_actor_summary(c.id, c.display_name, c.actor_id, wire_origin()) as channel
    from video v join video_channel c on c.id = v.channel_id where v.id = of_video
  ) x
$$;

-- A change of owner (contract: ChangeOwnership): of a video or of a channel, which decides the member that is there.
create function wire_ownership_change(of_change integer) returns json language sql stable as $$
  select (left(row_to_json(x)::text, -1) || thing || '}')::json from (
    select o.id, wire_constant('ownershipState', o.state::text) as state,
      (array['WAITING', 'REFUSED', 'ACCEPTED'])[o.state] as status,
      wire_account(o.initiator_account_id)::json as "initiatorAccount",
      wire_account(o.next_owner_account_id)::json as "nextOwnerAccount",
      wire_time(o.created_at) as "createdAt"
    from ownership_change o where o.id = of_change
  ) x, lateral (
    select case when o.video_id is not null then ',"video":' || wire_video_mention(o.video_id)
      else (
        select ',"videoChannel":' || wire_actor_summary(c.id, c.display_name, c.actor_id, wire_origin())
        from video_channel c where c.id = o.channel_id
      ) end as thing
    from ownership_change o where o.id = of_change
  ) t
$$;
