-- How much of a video a viewer has watched.

-- Seconds of the video that lie between two reports of a viewer: none after a jump, and never more than can have been
-- watched, at twice the speed, since the last report or since the session began.
create function view_gain(
  former_position integer, former_seen timestamptz, started timestamptz, so_far integer,
  new_position integer, sought boolean, seen timestamptz
) returns integer language sql immutable as $$
  select case
    when sought or new_position <= former_position then 0
    when new_position - former_position > extract(epoch from seen - former_seen) * 2 + 3 then 0
    else greatest(0, least(
      new_position - former_position, floor(extract(epoch from seen - started) * 2 + 3)::integer - so_far
    ))
  end
$$;
