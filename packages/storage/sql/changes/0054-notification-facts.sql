-- Triggers write down what happened; what of it is news, and for whom, is decided by the program (docs/decisions/notifications.md).

-- Facts that cannot be read afterwards, as the tag has them.
alter table notification_event add column details jsonb;

-- What waited under a tag of its own for each answer.
update notification_event set tag = 'CollaborationChanged', details = jsonb_build_object('state', case tag
    when 'CollaborationAsked' then 1 when 'CollaborationAccepted' then 2 else 3 end)
  where tag in ('CollaborationAsked', 'CollaborationAccepted', 'CollaborationDeclined');
update notification_event set tag = 'OwnershipChanged', details = jsonb_build_object('state', case tag
    when 'OwnershipAsked' then 1 when 'OwnershipDeclined' then 2 else 3 end)
  where tag in ('OwnershipAsked', 'OwnershipAccepted', 'OwnershipDeclined');
delete from notification_event e where tag = 'ImportFinished' and not exists (select from video_import i where i.id = e.subject);
update notification_event e set details = jsonb_build_object('state', i.state) from video_import i
  where e.tag = 'ImportFinished' and i.id = e.subject;
