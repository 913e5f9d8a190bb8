-- Extensions, and what indexes are built on: text as searches compare it.

create extension if not exists citext;
create extension if not exists pg_trgm;
create extension if not exists unaccent;

create function search_text(value text) returns text language sql immutable parallel safe as
$$ select lower(public.unaccent('public.unaccent'::regdictionary, value)) $$;
