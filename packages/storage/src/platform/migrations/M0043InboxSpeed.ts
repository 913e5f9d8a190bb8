/**
 * What others send by the thousand leaves out what it cannot need.
 *
 * Ratings of others come by the thousand, and what is to be told of ratings concerns those of ours alone: while
 * `inbox_apply_rates` writes, the triggers that would look for one of ours in each row are left out.
 *
 * A video of another instance comes with all its parts at once (`upsert_remote_video`). What otherwise happens when a part is
 * added (ready answers voided, figures and documents made anew, feeds and followers told) has nothing to do there: nobody
 * has seen it, its figures are given, and its document is written when all of it is there.
 */
export const M0043InboxSpeed = `
-- Marks a row of which nothing is left to change: false when it is not to be done, or not by us.
create function inbox_settle(of_host citext, of_id bigint) returns boolean language plpgsql as $$
begin
  if not inbox_turn(of_host) then return false; end if;
  update inbox_activity set state = 'applied', processed_at = now(), error = null, bytes = 0,
    body = jsonb_build_object('type', type)
    where id = of_id and state = 'waiting';
  return found;
end $$;

alter function inbox_apply_rates(citext, integer) set kinora.rates_of_others = 'on';

drop trigger rate_named on account_video_rate;
create trigger rate_named before insert or update of type on account_video_rate for each row
  when (current_setting('kinora.rates_of_others', true) is distinct from 'on') execute function rate_named();

drop trigger rate_moved on account_video_rate;
create trigger rate_moved after insert or update or delete on account_video_rate for each row
  when (current_setting('kinora.rates_of_others', true) is distinct from 'on') execute function rate_moved();

drop trigger rate_passed_on on account_video_rate;
create trigger rate_passed_on after insert or update or delete on account_video_rate for each row
  when (current_setting('kinora.rates_of_others', true) is distinct from 'on') execute function rate_passed_on();

do $guard$
declare
  t record;
begin
  for t in
    select g.tgname as name, g.tgrelid::regclass as of_table, pg_get_triggerdef(g.oid) as definition
    from pg_trigger g
    where not g.tgisinternal and g.tgqual is null and g.tgtype & 4 = 4 and g.tgrelid in ('thumbnail'::regclass,
      'storyboard'::regclass, 'video_caption'::regclass, 'video_tag'::regclass, 'video_file'::regclass,
      'streaming_playlist'::regclass)
  loop
    execute format('drop trigger %I on %s', t.name, t.of_table);
    execute replace(t.definition, ' EXECUTE FUNCTION ',
      ' WHEN (current_setting(''kinora.video_begins'', true) IS DISTINCT FROM ''on'') EXECUTE FUNCTION ');
  end loop;
end $guard$;
`
