/**
 * Figures of channels: views of a video by day (UTC), the orders of the lists of all accounts and of all channels, an
 * actor as either side of a follow shows it, and what is searched for as a pattern.
 */
export const M0011ChannelFigures = `
create table video_view_day (
  video_id integer not null references video (id) on delete cascade,
  day date not null,
  views integer not null check (views >= 0),
  primary key (video_id, day) include (views)
);

-- What is told as createdAt: for an actor of another instance, when it was made there.
create index actor_people_created on actor (coalesce(remote_created_at, created_at) desc, id desc) where type = 'Person';
create index actor_groups_created on actor (coalesce(remote_created_at, created_at) desc, id desc) where type = 'Group';
create index actor_groups_name on actor (preferred_username, id) where type = 'Group';
create index actor_follow_follower on actor_follow (actor_id, state);

-- What is like search_text of something that holds this. Wildcards are escaped last: search_text makes some of other letters.
create function search_pattern(value text) returns text language sql immutable parallel safe as
$$ select '%' || regexp_replace(search_text(value), '([\\\\%_])', '\\\\\\1', 'g') || '%' $$;

create function wire_actor(of_actor integer) returns text language sql stable as $$
  select row_to_json(x)::text from (
    select a.id, a.url, a.preferred_username as name, coalesce(s.host::text, wire_host(o.origin)) as host,
      wire_actor_images(a.id, 1::smallint, o.origin) as avatars,
      coalesce(s.redundancy_allowed, false) as "hostRedundancyAllowed",
      a.following_count as "followingCount", a.followers_count as "followersCount",
      wire_time(coalesce(a.remote_created_at, a.created_at)) as "createdAt",
      wire_time(greatest(a.updated_at, c.updated_at, h.updated_at)) as "updatedAt",
      coalesce(c.display_name, h.display_name, a.preferred_username::text) as "displayName",
      coalesce(c.description, h.description) as description
    from actor a left join server s on s.id = a.server_id
      left join account c on c.actor_id = a.id left join video_channel h on h.actor_id = a.id,
      (select wire_origin() as origin) o
    where a.id = of_actor
  ) x
$$;
`
