-- Pieces of text that answers and addresses are made of.

create function wire_host(origin text) returns text language sql immutable as
$$ select regexp_replace(origin, '^[a-z]+://', '') $$;

create function wire_time(moment timestamptz) returns text language sql stable as
$$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- Flickr's base 58, 22 characters.
create function short_uuid(uuid uuid) returns text language plpgsql immutable as $$
declare
  digits constant text := '123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ';
  bits constant bit(128) := ('x' || replace(uuid::text, '-', ''))::bit(128);
  high constant bigint := substring(bits for 64)::bigint;
  low constant bigint := substring(bits from 65)::bigint;
  rest numeric := (case when high < 0 then high + 18446744073709551616 else high end) * 18446744073709551616
    + (case when low < 0 then low + 18446744073709551616 else low end);
  part bigint;
  quotient numeric;
  answer text := '';
begin
  -- Ten digits at a time: those are small enough for whole numbers of 64 bits.
  for round in 1..3 loop
    quotient := div(rest, 430804206899405824);
    part := (rest - quotient * 430804206899405824)::bigint;
    rest := quotient;
    for n in 1..(case round when 3 then 2 else 10 end) loop
      answer := substr(digits, (part % 58)::integer + 1, 1) || answer;
      part := part / 58;
    end loop;
  end loop;
  return answer;
end $$;

-- What is like search_text of something that holds this. Wildcards are escaped last: search_text makes some of other
-- letters.
create function search_pattern(value text) returns text language sql immutable parallel safe as
$$ select '%' || regexp_replace(search_text(value), '([\\%_])', '\\\1', 'g') || '%' $$;
