-- Channels pass on what is said below their videos (FEP-1b12), when the instance is configured so.
--
-- Servers of groups (Lemmy and its like) take what others do in a group from the group alone; all others know nothing
-- of activities that are announced. So each inbox gets one of both and never both: what was to be delivered to an inbox
-- of a server of groups becomes the Announce.

create function announces_conversations() returns boolean language sql stable as $$
  select coalesce((select (value #>> '{}')::boolean from instance_setting where key = 'announceConversations'), false)
$$;

create function is_group_software(name text) returns boolean language sql immutable as
$$ select coalesce(lower(name) in ('lemmy', 'piefed', 'mbin', 'kbin', 'lotide', 'sublinks'), false) $$;

-- Inboxes of followers of a channel on servers of groups.
create function group_inboxes(of_channel_actor integer) returns text[] language sql stable as $$
  select coalesce(array_agg(distinct coalesce(a.shared_inbox_url, a.inbox_url)), '{}')
  from actor_follow f join actor a on a.id = f.actor_id join server s on s.id = a.server_id
  where f.target_actor_id = of_channel_actor and f.follower_remote and f.state = 'accepted' and is_group_software(s.software)
$$;
