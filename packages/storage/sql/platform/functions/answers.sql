-- What all answers to readers are made of.

create function wire_origin() returns text language sql stable as
$$ select value #>> '{}' from instance_setting where key = 'origin' $$;

create function wire_constant(of_kind text, of_id text, quoted boolean default false) returns json
language sql stable as $$
  select format('{"id":%s,"label":%s}',
    case when of_id is null then 'null' when quoted then to_json(of_id)::text else of_id end,
    to_json(coalesce((select label from wire_label where kind = of_kind and id = of_id), 'Unknown')))::json
$$;
