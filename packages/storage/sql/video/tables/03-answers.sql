-- Answers to readers, kept ready as JSON text (contract: Video, VideoDetails).
--
-- A null means "made anew when read"; triggers set it, and `refresh_wire` fills it. Every source change updates the
-- wire rows it touches even if they are null already, and the refresher locks a row before it reads the sources in a
-- later statement: text made from an older state can never be written after a newer one is committed.

create table video_wire (
  video_id integer primary key references video (id) on delete cascade,
  summary text,
  details text,
  -- For other instances, void with the others; made when somebody first asks.
  object text
) with (toast_tuple_target = 4080, fillfactor = 80);
alter table video_wire alter column summary set storage main;
alter table video_wire alter column details set storage external;
alter table video_wire alter column object set storage external;
create index video_wire_missing on video_wire (video_id) where summary is null or details is null;
