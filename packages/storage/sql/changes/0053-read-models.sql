-- The kept texts of videos and actors under the name of what they are, and made by the program alone: labels need no table.

alter table video_wire rename to video_read_model;
alter index video_wire_pkey rename to video_read_model_pkey;
alter index video_wire_missing rename to video_read_model_missing;
alter table video_read_model rename constraint video_wire_video_id_fkey to video_read_model_video_id_fkey;

alter table actor_wire rename to actor_read_model;
alter table actor_read_model rename column wire to text;
alter index actor_wire_pkey rename to actor_read_model_pkey;
alter index actor_wire_missing rename to actor_read_model_missing;
alter table actor_read_model rename constraint actor_wire_actor_id_fkey to actor_read_model_actor_id_fkey;

-- What these texts of videos are without: counts, and the last brace.
update video_read_model set summary = null, details = null, object = null;
update actor_read_model set text = null;

drop table wire_label;
