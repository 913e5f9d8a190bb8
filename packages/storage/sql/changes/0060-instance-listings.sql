-- Lists show what the instance follows, and no longer what users alone subscribe to: the task of listings looks at all
-- that anybody here follows elsewhere.

insert into listing_change (actor_id)
select distinct f.target_actor_id from actor_follow f join actor a on a.id = f.target_actor_id
where a.server_id is not null and not f.follower_remote and f.state = 'accepted';
