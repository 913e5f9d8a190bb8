-- Whom comments mention: for their objects, and for the recipients of their author's departure.

-- Actors of the authors of the comments above one, and of those it names as `@name` or `@name@host`; none of a deleted
-- one, and never its own author.
create function note_mentions(of_comment integer) returns integer[] language plpgsql stable as $$
declare
  c video_comment;
  accounts integer[];
begin
  select * into c from video_comment where id = of_comment and deleted_at is null;
  if not found then return '{}'; end if;
  if c.in_reply_to_comment_id is not null then
    accounts := array(
      with recursive above as (
        select p.id, p.in_reply_to_comment_id, p.account_id, 1 as depth from video_comment p
          where p.id = c.in_reply_to_comment_id
        union all
        select p.id, p.in_reply_to_comment_id, p.account_id, a.depth + 1
          from above a join video_comment p on p.id = a.in_reply_to_comment_id where a.depth < 100
      )
      select account_id from above where account_id <> c.account_id
    );
  end if;
  if position('@' in c.text) > 0 then
    accounts := accounts || array(
      select o.id from (
        select m[1] as name, nullif(lower(m[2]), wire_host(wire_origin())) as host
        from regexp_matches(c.text, '(?:^|[^A-Za-z0-9_@/])@([A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,126}[A-Za-z0-9_])?)(?:@([A-Za-z0-9.:-]{1,255}[A-Za-z0-9]))?', 'g') m
        limit 50
      ) n
      left join server s on s.host = n.host::citext
      join actor a on a.preferred_username = n.name::citext and a.server_id is not distinct from s.id
        and (n.host is null or s.id is not null)
      join account o on o.actor_id = a.id
      where o.id <> c.account_id
    );
  end if;
  if coalesce(accounts, '{}') = '{}' then return '{}'; end if;
  return array(select distinct actor_id from account where id = any(accounts));
end $$;
