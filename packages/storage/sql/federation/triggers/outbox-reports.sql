-- Reports that others have to hear of.

create trigger report_marked after insert on abuse for each row when (new.url is null) execute function report_marked();
