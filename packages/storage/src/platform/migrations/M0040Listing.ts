/**
 * Part of M0040: which videos of others everybody is shown, and what people want to be found by.
 *
 * A video of another instance is listed as soon as anybody here follows its channel, its account, its instance, or somebody
 * who shares it. One that is known for another reason (somebody opened it, it stands in a playlist) has the visibility -1:
 * no index of lists holds it, and its address, its channel and the history of who watched it lead to it.
 */
export const listing = `
create index actor_applications on actor (server_id) where type = 'Application';
create index video_unfollowed on video (server_id, id) where visible < 0;
create index video_unfollowed_channel on video (channel_id, published_at desc, id desc) where visible < 0;
create index video_unfollowed_account on video (account_id, published_at desc, id desc) where visible < 0;

create function actor_is_followed_here(of_actor integer) returns boolean language sql stable as $$
  select exists (
    select from actor_follow where target_actor_id = of_actor and state = 'accepted' and not follower_remote
  )
$$;

create function video_has_followers(of_video integer, of_channel integer, of_account integer) returns boolean
language plpgsql stable as $$
begin
  return exists (
      select from video_channel c join actor a on a.id = c.actor_id
      where c.id = of_channel and (a.server_id is null or actor_is_followed_here(a.id))
    )
    or exists (
      select from account o join actor a on a.id = o.actor_id
        left join actor t on t.server_id = a.server_id and t.type = 'Application'
      where o.id = of_account and (actor_is_followed_here(a.id) or actor_is_followed_here(t.id))
    )
    or exists (select from video_share s where s.video_id = of_video and actor_is_followed_here(s.actor_id));
end $$;

create or replace function video_set_listed() returns trigger language plpgsql as $$
declare
  blacklisted constant boolean := exists (select 1 from video_blacklist b where b.video_id = new.id);
begin
  new.listed := video_is_listed(new.state, new.privacy, blacklisted);
  new.visible := case when new.listed then 2 when new.state = 1 and new.privacy = 4 and not blacklisted then 1 else 0 end;
  if new.remote and new.visible > 0 and not video_has_followers(new.id, new.channel_id, new.account_id) then
    new.visible := -1;
    new.listed := false;
  end if;
  new.hot_score := video_hotness(new.views, new.likes, new.comments, new.published_at);
  new.server_id := (select a.server_id from account c join actor a on a.id = c.actor_id where c.id = new.account_id);
  return new;
end $$;
update video set state = state where remote;

-- Who is shown to everybody may be opened by everybody.
create function video_is_followed(of_video integer) returns boolean language sql stable as $$
  select not v.remote or video_has_followers(v.id, v.channel_id, v.account_id) from video v where v.id = of_video
$$;

-- Whose videos have to be looked at again, since somebody follows or does so no more: there may be many.
create table listing_change (
  id bigint generated always as identity primary key,
  actor_id integer,
  video_id integer,
  -- Up to which video this is done.
  done integer not null default 0
);

create function follow_lists() returns trigger language plpgsql as $$
declare
  f actor_follow := case when tg_op = 'DELETE' then old else new end;
begin
  if exists (select from actor where id = f.target_actor_id and server_id is not null) then
    insert into listing_change (actor_id) values (f.target_actor_id);
  end if;
  return null;
end $$;
create trigger follow_lists after insert on actor_follow for each row
  when (new.state = 'accepted' and not new.follower_remote) execute function follow_lists();
create trigger follow_lists_again after update of state on actor_follow for each row
  when ((old.state = 'accepted') <> (new.state = 'accepted') and not new.follower_remote) execute function follow_lists();
create trigger follow_lists_no_more after delete on actor_follow for each row
  when (old.state = 'accepted' and not old.follower_remote) execute function follow_lists();

create function share_lists() returns trigger language plpgsql as $$
declare
  s video_share := case when tg_op = 'DELETE' then old else new end;
begin
  if actor_is_followed_here(s.actor_id) and exists (select from video where id = s.video_id and remote) then
    insert into listing_change (video_id) values (s.video_id);
  end if;
  return null;
end $$;
create trigger share_lists after insert or delete on video_share for each row execute function share_lists();

-- Lists or hides up to so many videos of one change. False: there was nothing to do.
create function apply_listing_change(at_most integer) returns boolean language plpgsql as $$
declare
  c listing_change;
  who actor;
  ids integer[];
begin
  select * into c from listing_change order by id limit 1 for update skip locked;
  if not found then return false; end if;
  if c.video_id is not null then
    ids := array[c.video_id];
  else
    select * into who from actor where id = c.actor_id;
    ids := case who.type
      when 'Application' then array(
        select v.id from video v where v.server_id = who.server_id and v.visible <> 0 and v.id > c.done order by v.id limit at_most
      )
      when 'Group' then array(
        select v.id from video_channel h join video v on v.channel_id = h.id
        where h.actor_id = who.id and v.visible <> 0 and v.id > c.done order by v.id limit at_most
      )
      else array(
        select v.id from account o join video v on v.account_id = o.id
        where o.actor_id = who.id and v.visible <> 0 and v.id > c.done order by v.id limit at_most
      ) end;
    -- Those that are shared by whom this is about.
    if c.done = 0 then
      insert into listing_change (video_id) select s.video_id from video_share s join video v on v.id = s.video_id
        where s.actor_id = who.id and v.remote order by s.video_id;
    end if;
  end if;
  perform 1 from video where id = any(ids) order by id for no key update;
  update video v set state = v.state
    where v.id = any(ids) and v.remote and (v.visible < 0) = video_has_followers(v.id, v.channel_id, v.account_id);
  if c.video_id is null and cardinality(ids) = at_most then
    update listing_change set done = ids[at_most] where id = c.id;
  else
    delete from listing_change where id = c.id;
  end if;
  return true;
end $$;

-- FEP-5feb: the words of a video are marked when its account or its channel does not want to be found by them.
create or replace function video_documents(ids integer[]) returns table (id integer, document tsvector) language sql stable as $$
  select v.id, search_document(
    v.name,
    (select string_agg(t.name::text, ' ' order by t.name) from video_tag vt join tag t on t.id = vt.tag_id
      where vt.video_id = v.id),
    v.description,
    concat_ws(' ', c.display_name, ca.preferred_username, a.display_name, aa.preferred_username),
    (select l.configuration from search_language l where l.language = split_part(v.language, '-', 1))
  ) || array_to_tsvector(array[
    search_step(search_score(v.views, v.likes, v.comments, v.published_at)), '~' || ((v.id >> 4) & 63)
  ] || case when ca.indexable and aa.indexable then '{}'::text[] else array['^'] end)
  from video v join video_channel c on c.id = v.channel_id join actor ca on ca.id = c.actor_id
    join account a on a.id = v.account_id join actor aa on aa.id = a.actor_id
  where v.id = any(ids)
$$;

create function actor_indexed() returns trigger language plpgsql as $$
begin
  update video_document d set stale = true where not d.stale and d.id in (
    select v.id from video_channel c join video v on v.channel_id = c.id where c.actor_id = new.id
    union all select v.id from account o join video v on v.account_id = o.id where o.actor_id = new.id
  );
  return null;
end $$;
create trigger actor_indexed after update of indexable on actor for each row
  when (old.indexable <> new.indexable) execute function actor_indexed();
update video_document d set stale = true from video_channel c join actor a on a.id = c.actor_id, account o join actor b on b.id = o.actor_id
  where c.id = d.channel_id and o.id = d.account_id and not (a.indexable and b.indexable);
`
