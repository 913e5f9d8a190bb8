-- The public address of the instance, which addresses of ours begin with.

create function wire_origin() returns text language sql stable as
$$ select value #>> '{}' from instance_setting where key = 'origin' $$;
