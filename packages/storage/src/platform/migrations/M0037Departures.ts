/** Part of M0037: actors of other instances that are gone, whose things are removed a few at a time. */
export const departures = `
-- Gone from the moment this stands here: nothing of theirs is taken any more. The row goes with the actor.
create table actor_departure (
  actor_id integer primary key references actor (id) on delete cascade,
  created_at timestamptz not null default now(),
  -- Not looked at again before: one that cannot be removed is not in the way of others.
  next_at timestamptz not null default now(),
  failures integer not null default 0
);
create index actor_departure_next on actor_departure (next_at);

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
`
