-- What accounts think of videos.

-- Sets what an account thinks of a video: 'like', 'dislike', or null for nothing. False when one of both is gone.
create function set_rate(of_account integer, of_video integer, wanted text) returns boolean language plpgsql as $$
declare
  former text;
begin
  perform 1 from account where id = of_account for key share;
  if not found then return false; end if;
  perform 1 from video where id = of_video for no key update;
  if not found then return false; end if;
  select type into former from account_video_rate where account_id = of_account and video_id = of_video;
  if former is not distinct from wanted then return true; end if;
  if wanted is null then
    delete from account_video_rate where account_id = of_account and video_id = of_video;
  else
    insert into account_video_rate (account_id, video_id, type) values (of_account, of_video, wanted)
      on conflict (account_id, video_id) do update set type = excluded.type, updated_at = now();
  end if;
  update video set
    likes = likes + (wanted is not distinct from 'like')::integer - (former is not distinct from 'like')::integer,
    dislikes = dislikes + (wanted is not distinct from 'dislike')::integer
      - (former is not distinct from 'dislike')::integer
    where id = of_video;
  return true;
end $$;

-- Takes back a rating, if it is of this kind. False when there was none.
create function unset_rate(of_account integer, of_video integer, kind text) returns boolean language plpgsql as $$
begin
  perform 1 from account where id = of_account for key share;
  perform 1 from video where id = of_video for no key update;
  perform 1 from account_video_rate where account_id = of_account and video_id = of_video and type = kind;
  if not found then return false; end if;
  return set_rate(of_account, of_video, null);
end $$;

-- Takes back so many ratings of an account, which is locked; answers how many those were.
create function remove_rates(of_account integer, most integer) returns integer language plpgsql as $$
declare
  videos constant integer[] := array(
    select video_id from account_video_rate where account_id = of_account order by video_id limit most
  );
begin
  perform 1 from video where id = any(videos) order by id for no key update;
  with gone as (
    delete from account_video_rate where account_id = of_account and video_id = any(videos) returning video_id, type
  )
  update video v set likes = v.likes - (g.type = 'like')::integer, dislikes = v.dislikes - (g.type = 'dislike')::integer
    from gone g where v.id = g.video_id;
  return cardinality(videos);
end $$;
