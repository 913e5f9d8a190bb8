-- Videos that are edited together with many others are marked like all others (outbox_change).

alter table video_recount drop column counted, drop column edited;
