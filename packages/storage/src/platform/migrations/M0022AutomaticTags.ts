/** What rules of an account found in a video, such as words it watches for; the instance's are those of its own account. */
export const M0022AutomaticTags = `
create table video_automatic_tag (
  video_id integer not null references video (id) on delete cascade,
  account_id integer not null references account (id) on delete cascade,
  name citext not null,
  primary key (account_id, name, video_id)
);
create index video_automatic_tag_video on video_automatic_tag (video_id);
`
