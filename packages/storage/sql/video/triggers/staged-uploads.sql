-- Files of unfinished uploads go when their rows do.

create trigger upload_object_gone after delete on upload_object
  referencing old table as gone for each statement execute function upload_objects_gone();
