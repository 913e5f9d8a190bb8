/**
 * A picture has a row a size: what shows it is voided once a statement instead of once a row, since an actor may have
 * many thousand videos.
 */
export const M0010ActorPictures = `
drop trigger actor_wire_void on actor_image;
drop function actor_image_changed();

create function actor_images_changed() returns trigger language plpgsql as $$
begin
  perform actor_void(actor_id, bool_or(type = 1)) from changed group by actor_id order by actor_id;
  return null;
end $$;
create trigger actor_wire_void_added after insert on actor_image
  referencing new table as changed for each statement execute function actor_images_changed();
create trigger actor_wire_void_changed after update on actor_image
  referencing new table as changed for each statement execute function actor_images_changed();
create trigger actor_wire_void_dropped after delete on actor_image
  referencing old table as changed for each statement execute function actor_images_changed();
`
