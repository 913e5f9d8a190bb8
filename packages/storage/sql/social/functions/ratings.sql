-- What accounts think of videos.

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
