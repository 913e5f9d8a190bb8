-- Who follows whom, here and elsewhere.

create table actor_follow (
  id integer generated always as identity primary key,
  actor_id integer not null references actor (id) on delete cascade,
  target_actor_id integer not null references actor (id) on delete cascade,
  state text not null check (state in ('pending', 'accepted', 'rejected')),
  score integer not null default 1000,
  url text unique,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  -- Followers of others, found without those of this instance.
  follower_remote boolean not null default false,
  unique (actor_id, target_actor_id)
);
create index actor_follow_target on actor_follow (target_actor_id, state);
create index actor_follow_follower on actor_follow (actor_id, state);
create index actor_follow_tell on actor_follow (target_actor_id, id) where state = 'accepted';
-- Pages of what is counted by the million are read in the order of an index.
create index actor_follow_followers on actor_follow (target_actor_id, id) where state = 'accepted';
create index actor_follow_followed on actor_follow (actor_id, id) where state = 'accepted';
create index actor_follow_remote on actor_follow (target_actor_id, actor_id) where follower_remote and state = 'accepted';
