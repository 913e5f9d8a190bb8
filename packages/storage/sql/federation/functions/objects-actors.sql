-- What others read of actors. Each function `ap_…` gives the JSON text of an ActivityPub object without its `@context`
-- (contract: activitypub.json). Objects hold addresses of others, never these themselves.

create function ap_public() returns text language sql immutable as
$$ select 'https://www.w3.org/ns/activitystreams#Public' $$;

-- The audience: the members "to" and "cc", without braces.
create function ap_audience(actor_url text, for_all boolean) returns text language sql immutable as $$
  select case when for_all
    then '"to":["https://www.w3.org/ns/activitystreams#Public"],"cc":[' || to_json(actor_url || '/followers') || ']'
    else '"to":[],"cc":[]' end
$$;

create function ap_image_type(filename text) returns text language sql immutable as $$
  select case lower(substring(filename from '[.]([^.]+)$'))
    when 'png' then 'image/png' when 'webp' then 'image/webp' when 'gif' then 'image/gif' when 'avif' then 'image/avif'
    else 'image/jpeg' end
$$;

create function ap_image(address text, filename text, width integer, height integer) returns text
language sql immutable as $$
  select '{"type":"Image","url":' || to_json(address) || ',"mediaType":"' || ap_image_type(filename) || '","width":' || width
    || ',"height":' || height || '}'
$$;

create function ap_actor_images(of_actor integer, of_type smallint, origin text) returns text language sql stable as $$
  select string_agg(
    ap_image(
      coalesce(remote_url, origin || case of_type when 1 then '/lazy-static/avatars/' else '/lazy-static/banners/' end
        || filename),
      filename, width, height
    ), ',' order by width desc, id)
  from actor_image where actor_id = of_actor and type = of_type
$$;

create function ap_actor_itself(of_actor integer) returns text language plpgsql stable as $$
declare
  origin constant text := wire_origin();
  a actor;
  person account;
  channel video_channel;
  avatars text;
  banners text;
begin
  select * into a from actor where id = of_actor;
  if a.id is null then return null; end if;
  if a.type = 'Group' then
    select * into channel from video_channel where actor_id = a.id;
  else
    select * into person from account where actor_id = a.id;
  end if;
  avatars := ap_actor_images(a.id, 1::smallint, origin);
  banners := ap_actor_images(a.id, 2::smallint, origin);
  return '{"type":"' || a.type || '","id":' || to_json(a.url)
    || ',"following":' || to_json(coalesce(a.following_url, a.url || '/following'))
    || ',"followers":' || to_json(coalesce(a.followers_url, a.url || '/followers'))
    || ',"playlists":' || to_json(coalesce(a.playlists_url, a.url || '/playlists'))
    || ',"inbox":' || to_json(a.inbox_url)
    || ',"outbox":' || to_json(coalesce(a.outbox_url, a.url || '/outbox'))
    || ',"preferredUsername":' || to_json(a.preferred_username::text)
    || ',"url":' || to_json(a.url)
    || ',"name":' || to_json(coalesce(channel.display_name, person.display_name, a.preferred_username::text))
    || ',"endpoints":{"sharedInbox":' || to_json(coalesce(a.shared_inbox_url, origin || '/inbox'))
    || '},"publicKey":{"id":' || to_json(a.url || '#main-key') || ',"owner":' || to_json(a.url)
    || ',"publicKeyPem":' || to_json(a.public_key) || '}'
    || coalesce((
      select ',"assertionMethod":[{"id":' || to_json(a.url || '#ed25519-key') || ',"type":"Multikey","controller":'
        || to_json(a.url) || ',"publicKeyMultibase":' || to_json(k.multibase) || '}]'
      from actor_multikey k where k.actor_id = a.id
    ), '')
    || ',"published":"'
    || wire_time(coalesce(a.remote_created_at, a.created_at)) || '"'
    || coalesce(',"icon":[' || avatars || ']', '') || coalesce(',"image":[' || banners || ']', '')
    || ',"summary":' || coalesce(to_json(coalesce(channel.description, person.description))::text, 'null')
    || ',"indexable":' || a.indexable || ',"discoverable":' || a.discoverable
    || case when channel.id is null then '' else
      ',"support":' || coalesce(to_json(channel.support)::text, 'null') || ',"postingRestrictedToMods":true'
      || ',"attributedTo":['
      || (select to_json(o.url) from account c join actor o on o.id = c.actor_id where c.id = channel.account_id)
      || '],"playerSettings":' || to_json(a.url || '/player-settings')
      || coalesce(',"email":' || to_json(channel.public_email), '') end
    || '}';
end $$;

-- With the sites that may name it on cards: Mastodon names whom a page says it is by, where that actor lists the site.
create function ap_actor(of_actor integer) returns text language sql stable as $$
  select left(itself, -1) || ',"attributionDomains":['
    || to_json(regexp_replace(wire_host(wire_origin()), ':[0-9]+$', '')) || ']}'
  from (select ap_actor_itself(of_actor) as itself) i
$$;

create function ap_player_settings(of_video integer) returns text language sql stable as $$
  select '{"type":"PlayerSettings","id":' || to_json(url || '/player-settings') || ',"object":' || to_json(url)
    || ',"theme":' || to_json(player_theme) || '}'
  from video where id = of_video
$$;

create function ap_channel_player_settings(of_channel integer) returns text language sql stable as $$
  select '{"type":"PlayerSettings","id":' || to_json(a.url || '/player-settings') || ',"object":' || to_json(a.url)
    || ',"theme":' || to_json(c.player_theme) || '}'
  from video_channel c join actor a on a.id = c.actor_id where c.id = of_channel
$$;
