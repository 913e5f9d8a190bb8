-- Answers about accounts and channels (contract: Account, VideoChannel and their summaries).

create function wire_actor_images(of_actor integer, of_type smallint, origin text) returns json
language sql stable as $$
  select coalesce(json_agg(row_to_json(i)), '[]') from (
    select path, origin || path as "fileUrl", width, height, wire_time(created_at) as "createdAt",
      wire_time(updated_at) as "updatedAt"
    from (
      select *, case of_type when 1 then '/lazy-static/avatars/' else '/lazy-static/banners/' end || filename as path
      from actor_image where actor_id = of_actor and type = of_type order by width desc
    ) image
  ) i
$$;

create function wire_actor_summary(of_id integer, display_name text, of_actor integer, origin text) returns json
language plpgsql stable as $$
begin
  return (
    select '{"id":' || of_id || ',"displayName":' || to_json(display_name) || ',"name":' || to_json(a.preferred_username)
      || ',"url":' || to_json(a.url) || ',"host":' || to_json(coalesce(s.host::text, wire_host(origin))) || ',"avatars":'
      || case when exists (select 1 from actor_image i where i.actor_id = a.id and i.type = 1)
        then wire_actor_images(a.id, 1::smallint, origin)::text else '[]' end || '}'
    from actor a left join server s on s.id = a.server_id where a.id = of_actor
  );
end $$;

create function wire_account(of_account integer) returns text language sql stable as $$
  select row_to_json(s)::text from (
    select c.id, a.url, a.preferred_username as name, coalesce(s.host::text, wire_host(o.origin)) as host,
      wire_actor_images(a.id, 1::smallint, o.origin) as avatars,
      coalesce(s.redundancy_allowed, false) as "hostRedundancyAllowed",
      a.following_count as "followingCount", a.followers_count as "followersCount",
      wire_time(coalesce(a.remote_created_at, a.created_at)) as "createdAt",
      wire_time(greatest(c.updated_at, a.updated_at)) as "updatedAt",
      c.display_name as "displayName", c.description, c.user_id as "userId"
    from account c join actor a on a.id = c.actor_id left join server s on s.id = a.server_id,
      (select wire_origin() as origin) o
    where c.id = of_account
  ) s
$$;

create function wire_channel(of_channel integer) returns text language sql stable as $$
  select row_to_json(s)::text from (
    select c.id, a.url, a.preferred_username as name, coalesce(s.host::text, wire_host(o.origin)) as host,
      wire_actor_images(a.id, 1::smallint, o.origin) as avatars, wire_actor_images(a.id, 2::smallint, o.origin) as banners,
      coalesce(s.redundancy_allowed, false) as "hostRedundancyAllowed",
      a.following_count as "followingCount", a.followers_count as "followersCount",
      wire_time(coalesce(a.remote_created_at, a.created_at)) as "createdAt",
      wire_time(greatest(c.updated_at, a.updated_at)) as "updatedAt",
      c.display_name as "displayName", c.description, c.support, c.public_email as "publicEmail",
      a.server_id is null as "isLocal", wire_account(c.account_id)::json as "ownerAccount"
    from video_channel c join actor a on a.id = c.actor_id left join server s on s.id = a.server_id,
      (select wire_origin() as origin) o
    where c.id = of_channel
  ) s
$$;

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

create function wire_account_info(of_account integer) returns json language sql stable as $$
  select wire_actor_summary(a.id, a.display_name, a.actor_id, wire_origin()) from account a where a.id = of_account
$$;

create function wire_channel_info(of_channel integer) returns json language sql stable as $$
  select wire_actor_summary(c.id, c.display_name, c.actor_id, wire_origin()) from video_channel c where c.id = of_channel
$$;
