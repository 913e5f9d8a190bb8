import { conversationActivities } from "./M0037ConversationActivities.ts"
import { departures } from "./M0037Departures.ts"
import { peopleActivities } from "./M0037PeopleActivities.ts"
import { playlistActivities } from "./M0037PlaylistActivities.ts"
import { videoActivities } from "./M0037VideoActivities.ts"
import { viewActivities } from "./M0037ViewActivities.ts"

/**
 * What others are told: activities are made by triggers in the transaction of the change they tell of, together with one
 * delivery a (shared) inbox. Those that depend on how a thing looks in the end are made when the transaction commits.
 *
 * Only what local actors do is told, and only to others: rows of other instances pass all triggers without a trace.
 * `docs/decisions/outbox.md` says what is told when.
 */
export const M0037Outbox = `
-- An activity outlives its actor: "I am gone" must still be signed. sender and private_key are kept for that.
alter table activity
  add column sender text,
  add column private_key text,
  -- Which terms the document needs besides those of every activity (contract: contexts).
  add column context text not null default 'Base',
  -- What it is about: activities about one thing reach a host in their order.
  add column thing text,
  -- The whole document with its linked-data signature, made before its first delivery.
  add column document text,
  -- Somebody else's activity, sent on as it came.
  add column forwarded boolean not null default false,
  alter column actor_id drop not null,
  drop constraint activity_actor_id_fkey,
  add constraint activity_actor_id_fkey foreign key (actor_id) references actor (id) on delete set null;
create index activity_age on activity (created_at);
create index activity_keys on activity (id) where private_key is not null;

-- Many rows are written at once while somebody waits: no more is checked and indexed than is asked for. Activities go only
-- when no delivery of theirs is left.
drop index delivery_due;
drop index delivery_host;
alter table delivery
  drop constraint delivery_activity_id_fkey,
  drop constraint delivery_activity_id_inbox_url_key,
  alter column host type text collate "C" using lower(host::text);
create index delivery_in_order on delivery (host, lane, id);
create index delivery_first on delivery (next_attempt_at) where lane = 0;
create index delivery_activity on delivery (activity_id);

-- What is known of a host we deliver to. Rows of hosts that nobody asked for in a while are forgotten.
create table delivery_host (
  host text collate "C" primary key,
  -- The form of signatures it takes; null: not known yet.
  form text check (form in ('cavage', 'rfc9421')),
  failures integer not null default 0,
  failing_since timestamptz,
  rest_until timestamptz,
  last_error text,
  last_status smallint,
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index delivery_host_age on delivery_host (updated_at);

-- Followers of others, found without those of this instance.
alter table actor_follow add column follower_remote boolean not null default false;
alter table actor_follow disable trigger user;
update actor_follow f set follower_remote = true from actor a where a.id = f.actor_id and a.server_id is not null;
alter table actor_follow enable trigger user;
create index actor_follow_remote on actor_follow (target_actor_id, actor_id) where follower_remote and state = 'accepted';

create function federation_setting(name text, otherwise boolean) returns boolean language sql stable as $$
  select coalesce((select (value ->> name)::boolean from instance_setting where key = 'federation'), otherwise)
$$;

create function instance_actor() returns integer language sql stable as
$$ select id from actor where preferred_username = 'peertube'::citext and server_id is null $$;

-- Of an address as they are kept: scheme, host with port, path. Without what may stand before the host.
create function inbox_host(inbox text) returns text language sql immutable as
$$ select lower(split_part(split_part(split_part(split_part(inbox, '/', 3), '?', 1), '#', 1), '@', -1)) $$;

create function inbox_of(of_actor integer) returns text language sql stable as
$$ select coalesce(shared_inbox_url, inbox_url) from actor where id = of_actor and server_id is not null $$;

create function has_remote_followers(actors integer[]) returns boolean language sql stable as $$
  select exists (
    select from actor_follow where target_actor_id = any(actors) and follower_remote and state = 'accepted'
  )
$$;

-- Whether anybody elsewhere follows anything here: what is written in bulk where nobody does, pays for no more than this.
create function somebody_listens() returns boolean language sql stable as $$
  select exists (select from actor_follow where follower_remote and state = 'accepted' and target_actor_id > 0)
$$;

-- Whether this was asked before in the transaction about the same thing.
create function outbox_again(what text, id integer) returns boolean language plpgsql as $$
declare
  name constant text := 'kinora.told_' || what;
  known constant text := coalesce(current_setting(name, true), '');
begin
  if position(',' || id || ',' in known) > 0 then return true; end if;
  -- A long list costs more than doing something twice.
  perform set_config(name, case when length(known) > 1000 then ',' else coalesce(nullif(known, ''), ',') end || id || ',', true);
  return false;
end $$;

-- How many things of a kind the transaction has told of, this one included.
create function outbox_count(what text) returns integer language plpgsql as $$
declare
  name constant text := 'kinora.count_' || what;
  counted constant integer := coalesce(nullif(current_setting(name, true), '')::integer, 0) + 1;
begin
  perform set_config(name, counted::text, true);
  return counted;
end $$;

-- An id that no activity has had lately: others take the same id for the same activity. The fragment leaves its address.
create function fresh_activity_uri(wanted text) returns text language sql volatile as $$
  select case when exists (select from activity where uri = wanted)
    then wanted || '#' || (extract(epoch from clock_timestamp()) * 1000000)::bigint else wanted end
$$;

create function public_audience(also text[], copies text[]) returns jsonb language sql immutable as $$
  select jsonb_build_object(
    'to', to_jsonb(array['https://www.w3.org/ns/activitystreams#Public'] || also), 'cc', to_jsonb(copies)
  )
$$;

-- Addresses of others among these.
create function outer_inboxes(inboxes text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(i), '{}') from unnest(inboxes) i
  where i ~ '^https?://[^/]' and inbox_host(i) <> (select lower(wire_host(wire_origin())))
$$;

-- One row for each distinct inbox of remote followers of these actors, and for each of these further inboxes.
create function queue_deliveries(
  of_activity bigint, of_lane smallint, follower_actors integer[], inboxes text[], besides text
) returns void language plpgsql as $$
declare
  made integer;
  last_inbox text;
begin
  insert into delivery (activity_id, inbox_url, host, lane)
    select of_activity, i, inbox_host(i), of_lane from (
      select coalesce(a.shared_inbox_url, a.inbox_url) as i
      from actor_follow f join actor a on a.id = f.actor_id
      where f.target_actor_id = any(follower_actors) and f.follower_remote and f.state = 'accepted'
      union select unnest(inboxes)
    ) r where besides is null or inbox_host(i) <> besides;
  get diagnostics made = row_count;
  if made = 1 then select inbox_url into last_inbox from delivery where activity_id = of_activity; end if;
  perform pg_notify('delivery', case when made = 1 then of_lane || ' ' || inbox_host(last_inbox) else '' end);
end $$;

-- Records an activity of a local actor and to whom it must be told: the remote followers of some actors, and inboxes.
--
-- of_object is JSON text: an address in quotes or an object. lane: 0 Follow, Accept, Reject and Undo of follows; 1 Create,
-- Update, Delete, Announce; 2 ratings; 3 views. audience: "to" and "cc" and further members; left out, those of the object,
-- else everybody and the followers of the actor (nobody in lane 0). besides: a host that is not told. Null when there is
-- nobody to tell.
create function send_activity(
  of_uri text, of_type text, of_actor integer, of_object text, of_lane smallint, follower_actors integer[],
  inboxes text[] default '{}', audience jsonb default null, of_context text default 'Base', of_thing text default null,
  besides text default null
) returns bigint language plpgsql as $$
declare
  sender actor;
  object constant jsonb := of_object::jsonb;
  outward constant text[] := outer_inboxes(inboxes);
  members jsonb := audience;
  new_uri text;
  new_id bigint;
begin
  if not federation_setting('enabled', true) then return null; end if;
  if cardinality(outward) = 0 and not has_remote_followers(follower_actors) then return null; end if;
  select * into sender from actor where id = of_actor and server_id is null;
  if not found then return null; end if;
  if members is null then
    members := case
      when of_lane = 0 then '{}'
      when jsonb_typeof(object) = 'object' and object ? 'to'
        then jsonb_build_object('to', object -> 'to', 'cc', coalesce(object -> 'cc', '[]'))
      else public_audience('{}', array[coalesce(sender.followers_url, sender.url || '/followers')])
    end;
  end if;
  new_uri := fresh_activity_uri(of_uri);
  insert into activity (uri, type, actor_id, sender, body, context, thing) values (
    new_uri, of_type, sender.id, sender.url,
    members || jsonb_build_object('type', of_type, 'id', new_uri, 'actor', sender.url, 'object', object),
    of_context,
    coalesce(of_thing, case jsonb_typeof(object) when 'object' then object ->> 'id' when 'string' then object #>> '{}' end)
  ) returning id into new_id;
  perform queue_deliveries(new_id, of_lane, follower_actors, outward, besides);
  return new_id;
end $$;

-- Sends on what somebody else said below a video of ours, as it came with its signature, to the followers of the video but
-- not back to where it came from. Called by the inbox, within the transaction that applied it. Once an activity.
create function forward_activity(of_uri text, of_type text, of_document text, of_video integer) returns bigint
language plpgsql as $$
declare
  followed constant integer[] := video_followed(of_video);
  new_id bigint;
begin
  if not federation_setting('enabled', true) or not has_remote_followers(followed)
    or not (case of_type when 'Delete' then video_is_known(of_video) else video_is_pushed(of_video) end) then
    return null;
  end if;
  insert into activity (uri, type, actor_id, sender, body, thing, document, forwarded)
    select of_uri, of_type, a.id, a.url, '{}', of_uri, of_document, true from actor a where a.id = instance_actor()
    on conflict (uri) do nothing returning id into new_id;
  if new_id is not null then perform queue_deliveries(new_id, 1::smallint, followed, '{}', inbox_host(of_uri)); end if;
  return new_id;
end $$;

-- What is due of a host, in its order; nothing about a thing of which something earlier has to wait. Rows of one host are few
-- among all: they are found by their index whatever the planner knows of the table.
create function due_deliveries(of_host text, first_lane boolean, at_most integer) returns table (
  id bigint, activity_id bigint, inbox_url text, attempts integer, thing text, type text
) language plpgsql stable rows 4 set enable_seqscan = off as $$
begin
  return query
    with held as materialized (
      select a.thing, min(d.id) as id from delivery d join activity a on a.id = d.activity_id
      where d.host = of_host and (d.lane = 0) = first_lane and d.next_attempt_at > now() and a.thing is not null group by 1
    )
    select d.id, d.activity_id, d.inbox_url, d.attempts, a.thing, a.type
    from delivery d join activity a on a.id = d.activity_id left join held h on h.thing = a.thing and h.id < d.id
    where d.host = of_host and (d.lane = 0) = first_lane and d.next_attempt_at <= now() and h.id is null
    order by d.lane, d.id limit at_most;
end $$;

-- Lets a host that rests be tried at once: an administrator wants it, or it spoke to us and so lives.
create function delivery_retry(of_host text) returns void language plpgsql as $$
begin
  update delivery_host set rest_until = null, updated_at = now() where host = lower(of_host) and rest_until is not null;
  update delivery set next_attempt_at = now() where host = lower(of_host) and next_attempt_at > now();
  perform pg_notify('delivery', '1 ' || lower(of_host));
end $$;
${videoActivities}
${viewActivities}
${conversationActivities}
${playlistActivities}
${peopleActivities}
${departures}
`
