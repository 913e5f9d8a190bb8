-- Labels of constants in answers (categories, licences, languages and so on).

create table wire_label (
  kind text not null,
  id text not null,
  label text not null,
  primary key (kind, id)
);
