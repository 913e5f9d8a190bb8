-- Pieces of text that answers and addresses are made of.

create function wire_host(origin text) returns text language sql immutable as
$$ select regexp_replace(origin, '^[a-z]+://', '') $$;

create function wire_time(moment timestamptz) returns text language sql stable as
$$ select to_char(moment at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') $$;

-- What is like search_text of something that holds this. Wildcards are escaped last: search_text makes some of other
-- letters.
create function search_pattern(value text) returns text language sql immutable parallel safe as
$$ select '%' || regexp_replace(search_text(value), '([\\%_])', '\\\1', 'g') || '%' $$;
