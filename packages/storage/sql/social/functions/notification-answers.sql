-- Answers about notifications (contract: UserNotification).

-- The instance as a whole may be what is followed.
create function wire_notification_about(n user_notification) returns jsonb language sql stable as $$
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

-- What a notification is about (contract: Notification, its optional members).
create function wire_notification_subject(n user_notification) returns jsonb language sql stable as $$
  select wire_notification_about(n) || case when n.abuse_id is null then '{}'::jsonb
    else jsonb_build_object('abuse', wire_abuse_info(n.abuse_id)) end
$$;

-- Contract: Notification, with what it is about.
create function wire_notification_of(n user_notification, subject jsonb) returns text language sql stable as $$
  select left(jsonb_build_object('id', n.id, 'type', n.type, 'read', n.read, 'data', '{}'::jsonb)::text, -1)
    || coalesce(',' || nullif(left(substr(subject::text, 2), -1), ''), '')
    || ',"createdAt":"' || wire_time(n.created_at) || '","updatedAt":"' || wire_time(n.updated_at) || '"}'
$$;

create function wire_notification(n user_notification) returns text language sql stable as $$
  select wire_notification_of(n, wire_notification_subject(n))
$$;
