-- Who leaves takes words and ratings along.

create trigger account_leaves before delete on account for each row execute function account_leaves();
