-- Channels pass on what is said below their videos (FEP-1b12), when the instance is configured so (docs/decisions/groups.md).

create function announces_conversations() returns boolean language sql stable as $$
  select coalesce((select (value #>> '{}')::boolean from instance_setting where key = 'announceConversations'), false)
$$;
