-- Groups in which users sort the channels they follow. Nobody else sees them. What is grouped is the follow: when it ends, with
-- the channel or by its user, it leaves every group.
create table subscription_group (
  id integer generated always as identity primary key,
  user_id integer not null references app_user (id) on delete cascade,
  name citext not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (user_id, name)
);

create table subscription_group_member (
  group_id integer not null references subscription_group (id) on delete cascade,
  follow_id integer not null references actor_follow (id) on delete cascade,
  primary key (group_id, follow_id)
);
create index subscription_group_member_follow on subscription_group_member (follow_id);
