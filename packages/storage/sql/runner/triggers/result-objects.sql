-- Files of results go when their rows do.

create trigger runner_result_object_gone after delete on runner_result_object
  referencing old table as gone for each statement execute function upload_objects_gone();
