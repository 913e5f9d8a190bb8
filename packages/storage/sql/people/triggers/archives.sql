-- Files of archives go when their rows do.

create trigger user_export_gone after delete on user_export for each row execute function archive_gone('user_exports');
create trigger user_import_gone after delete on user_import for each row execute function archive_gone('user_imports');
create trigger user_import_ended after update of state on user_import for each row
  when (old.state in (1, 2) and new.state in (3, 4)) execute function archive_gone('user_imports');
